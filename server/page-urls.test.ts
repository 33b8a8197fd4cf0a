import { expect, test } from "vitest";
import { accountCenterUrl, operatorConsoleUrl } from "./page-urls.ts";

test.each([
  ["127.0.0.1", "http://localhost:8080/account/"],
  ["0.0.0.0", "http://localhost:8080/account/"],
  ["::", "http://localhost:8080/account/"],
  ["fd00::7", "http://[fd00::7]:8080/account/"],
  ["shop.internal", "http://shop.internal:8080/account/"],
])("a service that listens on %s has its account center at %s", (host, expected) => {
  expect(accountCenterUrl({ publicUrl: null, host, port: 8080 })).toBe(expected);
});

test("the address that is set counts, whatever the service listens on", () => {
  expect(accountCenterUrl({ publicUrl: "https://shop.example/codes", host: "0.0.0.0", port: 8080 })).toBe(
    "https://shop.example/codes/account/",
  );
});

test.each([
  [null, "http://localhost:8081/operator/"],
  ["https://console.example", "https://console.example/operator/"],
])("the console at %s is opened at %s", (operatorUrl, expected) => {
  expect(operatorConsoleUrl({ operatorUrl, operatorHost: "127.0.0.1", operatorPort: 8081 })).toBe(expected);
});
