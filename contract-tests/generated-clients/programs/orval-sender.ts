/** Where requests go, and with whose key. */
interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

let access: Access | undefined;

/** Says where all requests from now on go, and with whose key. */
export function useAccess(wanted: Access): void {
  access = wanted;
}

/** What orval's client sends its requests with (its "mutator"), so that calls need not name address and key. */
export async function send<Answer>(url: string, { headers, ...options }: RequestInit): Promise<Answer> {
  if (access === undefined) throw new Error("Call useAccess first.");
  const response = await fetch(access.baseUrl + url, {
    ...options,
    headers: { ...(headers as Record<string, string>), Authorization: `Bearer ${access.apiKey}` },
  });
  return { data: await response.json(), status: response.status, headers: response.headers } as Answer;
}
