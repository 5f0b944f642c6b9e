/** The oldest Node that runs a control plane. This file, and what imports it without delay, runs on older ones. */
const OLDEST = [20, 18] as const;

/** The reason why the Node of this process cannot run a control plane; undefined when it can. */
export function unsupportedNode(version = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `a control plane needs Node ${OLDEST.join('.')} or newer; this is ${version}`;
}
