import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from './compose/programs.ts';
import { freePort } from './haproxy.ts';
import { type RunningProcess, start } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The path of a program of Prometheus, `prometheus` or `promtool`; undefined where there is none. */
export function prometheusProgram(name: 'prometheus' | 'promtool'): string | undefined {
  return programPath(name);
}

/** Addresses `host:port` of ops ports, by scrape job. */
export type ScrapeTargets = Readonly<Record<string, readonly string[]>>;

/** An alert as Prometheus reports it. */
export interface FiringAlert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A sample of the result of a query. */
export interface PrometheusSample {
  readonly metric: Readonly<Record<string, string>>;
}

/** Short windows instead of those of rules and runbook pages, so that tests do not wait for minutes. */
const shortWindows: Readonly<Record<string, string>> = {
  ...{ '5m': '2s', '10m': '2s', '15m': '2s', '30m': '2500ms' },
  ...{ '1h': '2500ms', '6h': '3s', '1d': '3s', '3d': '4s' },
};

/** An expression with short windows. Throws for a window that has no short one. */
export const shortened = (text: string): string =>
  text.replace(/\[(\d+[a-z]+)\]/g, (_, window: string) => {
    const short = shortWindows[window];
    if (short === undefined) throw new Error(`the window ${window} has no short one`);
    return `[${short}]`;
  });

/** Rules with short windows and intervals, whose alerts fire and end at once. */
const shortenedRules = (text: string): string =>
  shortened(text)
    .replace(/^ +for: .*\n/gm, '')
    .replace(/interval: 30s/g, 'interval: 250ms')
    // A minute in a queue is a second in these rules.
    .replace('workqueue_queue_duration_seconds:p99 > 60', 'workqueue_queue_duration_seconds:p99 > 1');

/** A running Prometheus, with the rules of `deploy/prometheus`. */
export class PrometheusServer implements AsyncDisposable {
  readonly #url: string;
  readonly #process: RunningProcess;
  readonly #folder: Disposable;
  #pending: Promise<readonly FiringAlert[]> | undefined;

  private constructor(url: string, process: RunningProcess, folder: Disposable) {
    this.#url = url;
    this.#process = process;
    this.#folder = folder;
  }

  /** Scrapes twice a second and evaluates four times a second, with shortened rules. */
  static async start(program: string, targets: ScrapeTargets): Promise<PrometheusServer> {
    const folder = temporaryFolder();
    const rules = join(root, 'deploy/prometheus/rules');
    mkdirSync(join(folder.path, 'rules'));
    for (const name of readdirSync(rules))
      writeFileSync(
        join(folder.path, 'rules', name),
        shortenedRules(readFileSync(join(rules, name), 'utf8')),
      );
    const jobs = Object.entries(targets).map(([job, addresses]) => ({
      job_name: job,
      static_configs: [{ targets: addresses }],
    }));
    const config = {
      global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '250ms' },
      rule_files: ['rules/*.yaml'],
      scrape_configs: jobs,
    };
    writeFileSync(join(folder.path, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const process = start(program, [
      `--config.file=${join(folder.path, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=${address}`,
      '--enable-feature=exemplar-storage',
    ]);
    await process.waitFor(/ready to receive web requests/, 30_000);
    return new PrometheusServer(`http://${address}`, process, folder);
  }

  /** The alerts that are pending or firing. Concurrent callers share a request. */
  alerts(): Promise<readonly FiringAlert[]> {
    this.#pending ??= this.#get<{ readonly alerts: readonly FiringAlert[] }>('alerts')
      .then(({ alerts }) => alerts)
      .finally(() => {
        this.#pending = undefined;
      });
    return this.#pending;
  }

  /** The samples that an expression selects now. Rejects when it is invalid. */
  async query(expression: string): Promise<readonly PrometheusSample[]> {
    const query = new URLSearchParams({ query: expression });
    return (await this.#get<{ readonly result: readonly PrometheusSample[] }>(`query?${query}`)).result;
  }

  /** The values of `trace_id` of the exemplars of series. */
  async tracesOf(selector: string): Promise<readonly string[]> {
    const query = new URLSearchParams({ query: selector, start: '0', end: `${Date.now() / 1000 + 60}` });
    interface Found {
      readonly exemplars: readonly { readonly labels: { readonly trace_id: string } }[];
    }
    const found = await this.#get<readonly Found[]>(`query_exemplars?${query}`);
    return found.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id));
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`, { signal: AbortSignal.timeout(10_000) });
    const { data, error } = (await answer.json()) as { readonly data: T; readonly error?: string };
    if (!answer.ok) throw new Error(`Prometheus answers ${answer.status}: ${error}`);
    return data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}
