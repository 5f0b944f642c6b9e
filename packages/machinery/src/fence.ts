/** Identifies the leadership under which a write was made; no two leaderships share it. */
export interface Fence {
  readonly namespace: string;
  readonly name: string;
  /** Uid of the Lease: a Lease that was deleted and created again counts from the beginning. */
  readonly uid: string;
  readonly holder: string;
  /** Grows with every leadership of one Lease. */
  readonly transitions: number;
}

/** The header of a write that takes effect only while its fence is valid, in the format of `formatFence`. */
export const fenceHeader = 'lease-fence';

/** As `encodeURIComponent`, and what would end the comment of a user agent. */
const part = (text: string): string =>
  encodeURIComponent(text).replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29'));

/** One word without spaces, for headers, user agents and logs: `namespace/name/transitions/holder/uid`. */
export const formatFence = ({ namespace, name, uid, holder, transitions }: Fence): string =>
  [part(namespace), part(name), String(transitions), part(holder), part(uid)].join('/');

/**
 * Parses the output of `formatFence`; undefined for any other text: no part is empty (a Lease without a holder has no
 * fence), and names have no slashes.
 */
export function parseFence(text: string): Fence | undefined {
  const parts = text.split('/', 6);
  const [namespace = '', name = '', transitions = '', holder = '', uid = ''] = parts.map(decoded);
  const isWhole = parts.length === 5 && [namespace, name, holder, uid].every((each) => each !== '');
  if (!isWhole || !/^\d{1,10}$/.test(transitions) || `${namespace}${name}`.includes('/')) return undefined;
  return { namespace, name, uid, holder, transitions: Number(transitions) };
}

/** Empty for malformed percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
