import { unsupportedNode } from './node-version.ts';
import type { ControlPlane, ControlPlaneOptions } from './options.ts';

/**
 * Starts a control plane in this process: an API server with its objects in memory, on a free port of this machine, and the
 * controllers of namespaces, garbage collection, service accounts, quotas and all others, so that deletions work as in a cluster.
 * Resolves when it is ready and the objects of the options exist. Rejects with a `UsageError` for options that are not valid.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const problem = unsupportedNode();
  if (problem !== undefined) throw new Error(problem);
  // The server is loaded when the first control plane starts: an import of this package is fast.
  const { startPlane } = await import('./running-plane.ts');
  return startPlane(options);
}
