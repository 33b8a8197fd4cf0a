/** What stands between tests and the services that they start, and compares the answers with the contract in their place. */
export interface ServiceFront {
  /** @returns the root under which the service that is at `serviceUrl` is reached through it. */
  open(serviceUrl: string): Promise<string>;
}

let front: ServiceFront | null = null;

/** Puts something in front of every service that this process starts from now on, as `npm run test:proxied` does. */
export function putInFront(newFront: ServiceFront): void {
  front = newFront;
}

/** Whether services have to compare their answers with the contract themselves: unless something stands in front of them. */
export function servicesValidateResponses(): boolean {
  return front === null;
}

/** @returns where tests reach the service that is at `serviceUrl`: there, or at what stands in front of it. */
export async function reachableUrl(serviceUrl: string): Promise<string> {
  return front === null ? serviceUrl : front.open(serviceUrl);
}
