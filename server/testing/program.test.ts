import { expect, test } from "vitest";
import { runProgram, startProgram } from "./program.ts";

const script = (source: string) => ["--input-type=module", "-e", source];

test("a program that runs to its end gives its exit code and both of its outputs", async () => {
  const source = `for await (const chunk of process.stdin) process.stdout.write(chunk);
    console.error("no more"); process.exitCode = 3;`;
  const end = await runProgram(process.execPath, script(source), { input: "a\nb" });
  expect(end).toEqual({ exitCode: 3, stdout: "a\nb", stderr: "no more\n" });
});

test("a line is waited for, and found again later, until a signal ends the program", async () => {
  const running = startProgram(
    process.execPath,
    script(`console.log("first"); console.error("second 2"); setInterval(() => {}, 1000);`),
  );
  expect(await running.printed(/^second \d$/)).toBe("second 2");
  expect(await running.printed(/^first$/)).toBe("first");
  expect(running.output()).toContain("first\n");
  expect((await running.kill("SIGKILL")).exitCode).toBeNull();
});

test("a program that ends before its line is told with what it printed", async () => {
  const running = startProgram(process.execPath, script(`console.log("else"); process.exitCode = 1;`));
  await expect(running.printed(/ready/)).rejects.toThrow(/ended with 1 .* \/ready\/:\nelse/);
});

test("a program that cannot be started is told to those who wait for it", async () => {
  await expect(runProgram("/no/such/program", [])).rejects.toThrow("ENOENT");
  await expect(startProgram("/no/such/program", []).printed(/ready/)).rejects.toThrow("ENOENT");
});
