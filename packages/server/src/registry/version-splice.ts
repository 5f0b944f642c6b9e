import type { CachedObject, Rendition } from '@orch/cache';

/** From the stored version of a kind to one that differs by nothing but its name. */
export interface VersionSplice {
  /** Undefined where the served version is the stored one. */
  readonly rendition: Rendition | undefined;
  apply(storedJson: Buffer): Buffer;
}

const MEMBER = Buffer.from('"apiVersion":"');
const QUOTE = 0x22;

/** Writes another `apiVersion` into canonical JSON; no other byte changes. */
export function versionSplice(storedApiVersion: string, servedApiVersion: string): VersionSplice {
  if (storedApiVersion === servedApiVersion) return { rendition: undefined, apply: (json) => json };
  const apply = (json: Buffer): Buffer => {
    const start = json.indexOf(MEMBER) + MEMBER.length;
    const end = json.indexOf(QUOTE, start);
    return Buffer.concat([json.subarray(0, start), Buffer.from(servedApiVersion), json.subarray(end)]);
  };
  return {
    rendition: { id: `version ${servedApiVersion}`, render: (object: CachedObject) => apply(object.json()) },
    apply,
  };
}
