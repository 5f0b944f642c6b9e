import { checkLeaders, checkNamespaces, checkObjects } from '../shared/checks.ts';
import { Issued, noteIssued } from '../shared/issued.ts';
import { names, SimulatedCluster } from './cluster.ts';

/** Time after the last fault until the final state is reached. */
const HEAL_MS = 30_000;

/** The life of a cluster for one seed, from its start to the checks at its end. Throws the errors. */
export async function simulate(seed: number, steps: number): Promise<void> {
  const cluster = new SimulatedCluster(seed);
  const watching = new AbortController();
  const certificates = new Issued();
  const tokens = new Issued();
  const watched = noteIssued(cluster.model, { certificates, tokens }, watching.signal);
  await cluster.start();
  await cluster.run(steps, HEAL_MS);
  const { model, audit, expectations } = cluster;
  await checkObjects(model, expectations);
  await checkNamespaces(model, expectations, names);
  await cluster.stop();
  watching.abort();
  await watched;
  certificates.check(expectations.requests);
  tokens.check(expectations.tokens);
  checkLeaders(audit);
}
