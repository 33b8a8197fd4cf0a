import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { listKeys } from "../api/queries.ts";
import { accountPath, useAccount } from "./account.ts";

/** How people know a key or a model: a key by its name, where their role may see it. */
export function useGroupName(): (groupBy: string, id: string) => string {
  const { accountId, role } = useAccount();
  const keys = useQuery({ ...listKeys(accountId), enabled: role !== "billing" });
  return (groupBy, id) => {
    const key = groupBy === "key" ? keys.data?.keys.find(({ keyId }) => keyId === id) : undefined;
    return key === undefined ? id : (key.name ?? key.preview);
  };
}

/** A key, which leads to its page, or a model. */
export function GroupName({ groupBy, id }: { groupBy: string; id: string }) {
  const account = useAccount();
  const name = useGroupName()(groupBy, id);
  if (groupBy !== "key" || account.role === "billing") return <code>{name}</code>;
  return <Link href={accountPath(account, `/keys/${encodeURIComponent(id)}`)}>{name}</Link>;
}
