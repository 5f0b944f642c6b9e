import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { poll } from '@orch/machinery/testing';
import { type FiringAlert, run, shortened } from '@orch/testkit';
import type { MonitoredCluster } from './monitored-cluster.ts';
import { type Command, readRunbookPage } from './runbook-page.ts';

/** A fault is seen within a scrape and an evaluation; loaded machines take longer. */
const DEADLINE_MS = 60_000;
const LOAD_PAUSE_MS = 20;

/** How a fault is caused and ended, besides the commands of the page. */
export interface Fault {
  /** Values of further variables of the commands. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The fault of another page is the cause: the commands of "How to cause it" are not executed. */
  readonly isCaused?: boolean;
  /** The commands of "How to cause it" are repeated until the remedy: the fault lasts as long as they run. */
  readonly isRepeated?: boolean;
  /** Runs after the commands of "How to cause it". */
  readonly cause?: () => Promise<unknown>;
  /** Requests that are repeated until the remedy; their failures are expected. */
  readonly load?: () => Promise<unknown>;
  /** Runs while the alert fires. */
  readonly meanwhile?: (alert: FiringAlert) => Promise<unknown> | unknown;
  /** Runs after the commands of "Remedy". */
  readonly fix?: () => Promise<unknown>;
}

/**
 * Follows the page of an alert, which does not fire yet: causes the fault, waits until the alert fires, executes the commands of
 * the diagnosis, and ends the fault with those of the remedy. `alertsEnd` then waits for the end of the alert, so that the next
 * fault can be caused meanwhile.
 */
export async function followPage(cluster: MonitoredCluster, alert: string, fault: Fault = {}): Promise<void> {
  const page = readRunbookPage(alert);
  if (fault.isCaused !== true) await ended(cluster, alert);
  const variables = { ...cluster.variables(), ...fault.variables };
  await using _load = repeat(fault.load);
  const cause = async (): Promise<void> => {
    for (const text of page.cause) await shell(text, variables);
  };
  if (fault.isCaused !== true) await cause();
  await using _again = repeat(fault.isRepeated === true ? cause : undefined);
  await fault.cause?.();
  const fired = await firing(cluster, alert);
  for (const command of page.diagnosis) await diagnose(cluster, command, variables);
  await fault.meanwhile?.(fired);
  for (const text of page.remedy) await shell(text, { ...cluster.variables(), ...fault.variables });
  await fault.fix?.();
  cluster.followed.add(alert);
}

/** Waits until the alerts of all pages that were followed have ended. Rejects when there are fewer of them than expected. */
export async function alertsEnd(cluster: MonitoredCluster, expected: number): Promise<void> {
  const { followed } = cluster;
  assert.ok(followed.size >= expected, `${followed.size} of ${expected} alerts`);
  for (const alert of followed) await ended(cluster, alert);
}

const stateOf = async (cluster: MonitoredCluster, alert: string): Promise<FiringAlert | undefined> =>
  (await cluster.prometheus.alerts()).find(
    ({ state, labels }) => state === 'firing' && labels['alertname'] === alert,
  );

const firing = (cluster: MonitoredCluster, alert: string): Promise<FiringAlert> =>
  poll(`${alert} fires`, DEADLINE_MS, () => stateOf(cluster, alert));

const ended = (cluster: MonitoredCluster, alert: string): Promise<true> =>
  poll(`${alert} ends`, DEADLINE_MS, async () =>
    (await stateOf(cluster, alert)) === undefined ? true : undefined,
  );

/** A query of a diagnosis selects something while the alert fires. */
function diagnose(
  cluster: MonitoredCluster,
  { language, text }: Command,
  variables: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (language === 'sh') return shell(text, variables);
  return poll(
    `a result of ${text}`,
    DEADLINE_MS,
    async () => (await cluster.prometheus.query(shortened(text))).length > 0,
  );
}

async function shell(text: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const { code, stdout, stderr } = await run('sh', ['-euc', text], { env: variables });
  assert.equal(code, 0, `${text}${stdout}${stderr}`);
}

function repeat(action: () => Promise<unknown> = () => pause(LOAD_PAUSE_MS)): AsyncDisposable {
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      await action().catch(() => undefined);
      await pause(LOAD_PAUSE_MS);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
