import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildGoProgram, observations, run } from '@orch/testkit';

/** Costs of a start of envtest: time until it is ready, then the CPU time and the memory of etcd and kube-apiserver. */
export interface EnvtestCosts {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly memoryMiB: number;
}

const PROGRAM = './conformance/go/envtest-start';
const parts = ['etcd', 'kube-apiserver'];

/** Starts envtest twice, since the first start reads programs from the disk, and returns the costs of the second; or why it cannot. */
export async function envtestStart(): Promise<EnvtestCosts | string> {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  if (assets === undefined) return `KUBEBUILDER_ASSETS does not name a folder with ${parts.join(' and ')}`;
  const missing = parts.filter((name) => !existsSync(join(assets, name)));
  if (missing.length > 0) return `KUBEBUILDER_ASSETS has no ${missing.join(' and no ')}`;
  const built = await buildGoProgram(PROGRAM);
  if (built.kind === 'missing') return built.reason;
  const start = () => run(built.program.path, [], { env: { KUBEBUILDER_ASSETS: assets } });
  await start();
  const [costs] = observations<EnvtestCosts>(await start());
  if (costs === undefined) throw new Error('envtest-start reported no costs');
  return costs;
}
