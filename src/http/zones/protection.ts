/** The protection of zones and recordsets in bodies and responses. */
import { flag, nullable, text } from '../../domain/shapes/shape.ts';
import type { Protection, ProtectionRequest } from '../../model/protection/protection.ts';
import { descriptionFault } from '../../model/text.ts';
import { responseSchema } from '../edge/response-schema.ts';

/** The keys of a body that protects a resource. */
export const PROTECTION_KEYS = {
  protected: flag,
  protection_reason: nullable(
    text(descriptionFault, { maxLength: 1024, description: 'Only of a protected resource.' }),
  ),
};

export interface ProtectionBody {
  readonly protected?: boolean | undefined;
  readonly protection_reason?: string | null | undefined;
}

/** A body with its keys of the protection as one value. */
export function withProtection<T extends ProtectionBody>({
  protected: isProtected,
  protection_reason: reason,
  ...others
}: T): Omit<T, keyof ProtectionBody> & { readonly protection: ProtectionRequest } {
  return { protection: { isProtected, reason }, ...others };
}

/** The fields of a protection in responses. An unprotected resource has none of them. */
export const shownProtection = {
  protected: responseSchema.flag,
  protection_reason: responseSchema.nullable(responseSchema.text()),
};

export function protectionToWire(protection: Protection | null) {
  return protection === null ? {} : { protected: true, protection_reason: protection.reason };
}
