import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readBase } from "./base.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "shop-base-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "generated/ordering"), { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
});

function git(...args: string[]): string {
  const identity = [
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@shop.example",
    "-c",
    "protocol.file.allow=always",
  ];
  return execFileSync("git", [...identity, ...args], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
}

function write(version: string): void {
  writeFileSync(join(root, "generated/ordering/openapi.json"), JSON.stringify({ info: { version } }));
}

function commit(version: string): void {
  write(version);
  git("add", "--all");
  git("commit", "--quiet", "--message", version);
}

/** The version in the document that is compared with, and how the base is called. */
function baseOf(wanted?: string, folder = root) {
  const { label, documents } = readBase(folder, wanted);
  return [documents.get("ordering"), label.replace(/ \([0-9a-f]{7}\)$/, "")];
}

const document = (version: string) => ({ info: { version } });

test("a branch is compared with where it left main, whatever main has become", () => {
  commit("1");
  git("switch", "--quiet", "--create", "work");
  commit("2");
  commit("3");
  git("switch", "--quiet", "main");
  commit("4");
  git("switch", "--quiet", "work");
  expect(baseOf()).toEqual([document("1"), "where this branch left main"]);
});

test("main is compared with the commit before, or with the last tag", () => {
  commit("1");
  commit("2");
  commit("3");
  expect(baseOf()).toEqual([document("2"), "the commit before"]);
  git("tag", "v1", "HEAD~2");
  git("tag", "v3");
  expect(baseOf()).toEqual([document("1"), "the tag v1"]);
});

test("what is not committed is compared with the last commit", () => {
  commit("1");
  commit("2");
  write("3");
  expect(baseOf()).toEqual([document("2"), "the last commit"]);
});

test("a base that is named is taken, and must be there", () => {
  commit("1");
  commit("2");
  git("tag", "v2");
  commit("3");
  expect(baseOf("HEAD~2")).toEqual([document("1"), "HEAD~2"]);
  expect(baseOf("v2")).toEqual([document("2"), "v2"]);
  expect(() => baseOf("v9")).toThrow('There is no commit "v9" here.');
});

test("what an interface last was under a version is found up to the base", () => {
  commit("1");
  commit("2");
  git("switch", "--quiet", "--create", "work");
  commit("3");
  const { lastUnder } = readBase(root);
  expect(lastUnder("ordering", "1")).toEqual(document("1"));
  expect(lastUnder("ordering", "2")).toEqual(document("2"));
  expect(lastUnder("ordering", "3")).toBeUndefined();
  expect(lastUnder("desk", "1")).toBeUndefined();
});

test("a fresh clone has a base; a shallow one and a first commit say why they have none", () => {
  commit("1");
  expect(() => baseOf()).toThrow("This is the first commit.");
  commit("2");
  const full = join(root, "full");
  const shallow = join(root, "shallow");
  git("clone", "--quiet", root, full);
  git("clone", "--quiet", "--depth=1", `file://${root}`, shallow);
  expect(baseOf(undefined, full)).toEqual([document("1"), "the commit before"]);
  expect(() => baseOf(undefined, shallow)).toThrow("shallow");
  expect(() => baseOf("HEAD~1", shallow)).toThrow("git fetch --unshallow");
});
