import { type CodeAudit, type CodeAuditOptions, openAllCodes } from "./open-all-codes.ts";
import {
  type Rotation,
  type RotationDependencies,
  type RotationProgress,
  rotateKeys,
} from "./rotate-keys.ts";
import { sealedApiKeys } from "./sealed-api-keys.ts";
import { sealedCodes } from "./sealed-codes.ts";
import { sealedPurchasedCodes } from "./sealed-purchased-codes.ts";
import { sealedSecrets } from "./sealed-secrets.ts";
import { sealedTotpSecrets } from "./sealed-totp-secrets.ts";

/** What encryption needs. */
type EncryptionDependencies = Omit<RotationDependencies, "kinds">;

export type Encryption = ReturnType<typeof createEncryption>;

/** What an operator can do with all that is encrypted. */
export function createEncryption(dependencies: EncryptionDependencies) {
  const { database, cipher } = dependencies;
  const codes = [sealedCodes(database), sealedPurchasedCodes(database)];
  const kinds = [...codes, sealedApiKeys(database), sealedTotpSecrets(database), sealedSecrets(database)];
  return {
    /** See {@link openAllCodes}. */
    openAllCodes: (options: CodeAuditOptions = {}): Promise<CodeAudit> =>
      openAllCodes(codes, cipher, options),

    /** See {@link rotateKeys}. */
    rotate: (onProgress?: (progress: RotationProgress) => void): Promise<Rotation> =>
      rotateKeys({ ...dependencies, kinds }, onProgress),
  };
}
