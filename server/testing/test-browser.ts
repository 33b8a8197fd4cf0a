import type { AccountId } from "../ids.ts";
import type { Role } from "../people/person.ts";
import type { Answer } from "./request-shop.ts";
import { addPerson, type TestPerson } from "./test-people.ts";
import type { TestShop } from "./test-shop.ts";

/** A browser on a page of the account center, or of the console: it keeps the session's cookie, and says where its requests come from. */
export interface TestBrowser {
  /** A body makes it a POST where no method is given. */
  ask(path: string, options?: BrowserRequest): Promise<BrowserAnswer>;
  /** What the service has set last, such as `account-session=…; Path=/`; "" when nothing. */
  cookie(): string;
}

interface BrowserRequest {
  readonly method?: string;
  readonly body?: object;
  /** undefined: not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

type BrowserAnswer = Pick<Answer, "status" | "body"> & { readonly headers: Headers };

/** @param url where the service is, without a path. @param base what the paths of the page's interface begin with. */
export function openTestBrowser(url: string, base = "/account/v1"): TestBrowser {
  let cookie = "";
  return {
    cookie: () => cookie,
    async ask(path, { body, method = body === undefined ? "GET" : "POST", headers = {} } = {}) {
      const [kept = ""] = cookie.split(";");
      const sent = Object.entries({
        "Sec-Fetch-Site": "same-origin",
        Cookie: kept,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const response = await fetch(`${url}${base}${path}`, {
        method,
        headers: sent,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      cookie = response.headers.getSetCookie()[0] ?? cookie;
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? null : JSON.parse(text),
      };
    },
  };
}

/** A browser in which a person is signed in. */
export interface PersonsBrowser extends TestBrowser {
  readonly person: TestPerson;
}

/** A browser in which a person signs in. */
export async function openSignedIn(
  { baseUrl }: Pick<TestShop, "baseUrl">,
  person: TestPerson,
): Promise<PersonsBrowser> {
  const browser = openTestBrowser(new URL(baseUrl).origin);
  const { email, password } = person;
  const answer = await browser.ask("/session", { body: { email, password } });
  if (answer.status !== 200) throw new Error(`${email} is not let in: ${JSON.stringify(answer.body)}`);
  return { ...browser, person };
}

/** A browser in which a new member of an account is signed in. */
export async function openAs(shop: TestShop, role: Role, accountId: AccountId): Promise<PersonsBrowser> {
  return openSignedIn(shop, await addPerson(shop, accountId, role));
}
