/** Something that owns paths by where it is based. */
interface Based {
  /** Such as `/shop/v1`; "" is the root. */
  readonly basePath: string;
}

/**
 * Makes what finds the owner of a path: the one below whose base it is, the longest of them, whatever their order. All
 * versions of a base are its owner's, so that `/shop` and `/shop/v2` are those of `/shop/v1` unless they have an owner of
 * their own.
 */
export function ownerFinder<Owner extends Based>(
  owners: readonly Owner[],
): (path: string) => Owner | undefined {
  const claims = owners
    .flatMap((owner) => [
      { owner, prefix: owner.basePath },
      { owner, prefix: owner.basePath.replace(/\/v\d+$/, "") },
    ])
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return (path) => {
    for (const { owner, prefix } of claims) if (isBelow(path, prefix)) return owner;
    return undefined;
  };
}

function isBelow(path: string, prefix: string): boolean {
  return (
    path.startsWith(prefix) && (path.length === prefix.length || prefix === "" || path[prefix.length] === "/")
  );
}
