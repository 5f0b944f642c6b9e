import { everyRequest, freePort, launchServerProcess } from '@orch/testkit';
import { type BenchResult, measure } from '../lib/measure.ts';
import { innermost } from '../lib/proc.ts';

const SCRAPES = 20;

/** CPU of a scrape of a server that has had requests of every verb for every resource, as Prometheus sends it. */
export async function scrape(): Promise<readonly BenchResult[]> {
  const port = await freePort();
  await using server = await launchServerProcess({ args: [`--ops-bind-address=127.0.0.1:${port}`] });
  for (const { method, path, ...options } of await everyRequest(server.client))
    await server.client.send(method, path, options);
  let bytes = 0;
  const scrapeOnce = async (): Promise<void> => {
    const headers = { accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' };
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
    bytes = (await answer.text()).length;
  };
  await scrapeOnce();
  const { cpuPerOp } = await measure(innermost(server.process.child.pid ?? 0), async () => {
    for (let i = 0; i < SCRAPES; i++) await scrapeOnce();
    return SCRAPES;
  });
  return [
    {
      what: `scrape of ${(bytes / 1e6).toFixed(1)} MB, every verb of every resource`,
      unit: 'ms CPU',
      value: cpuPerOp / 1000,
      target: 50,
      onReference: true,
    },
  ];
}
