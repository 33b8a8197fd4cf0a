import { type CodeAudit, type CodeAuditOptions, openAllCodes } from "./open-all-codes.ts";
import {
  type Rotation,
  type RotationDependencies,
  type RotationProgress,
  rotateKeys,
} from "./rotate-keys.ts";

export type Encryption = ReturnType<typeof createEncryption>;

/** What an operator can do with all that is encrypted. */
export function createEncryption(dependencies: RotationDependencies) {
  const { cipher, kinds } = dependencies;
  const codes = kinds.filter(({ name }) => name === "stock" || name === "purchased");
  return {
    /** See {@link openAllCodes}. */
    openAllCodes: (options: CodeAuditOptions = {}): Promise<CodeAudit> =>
      openAllCodes(codes, cipher, options),

    /** See {@link rotateKeys}. */
    rotate: (onProgress?: (progress: RotationProgress) => void): Promise<Rotation> =>
      rotateKeys(dependencies, onProgress),
  };
}
