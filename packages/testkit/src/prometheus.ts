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

/** A running Prometheus, with the rules of `deploy/prometheus`. */
export class PrometheusServer implements AsyncDisposable {
  readonly #url: string;
  readonly #process: RunningProcess;
  readonly #folder: Disposable;

  private constructor(url: string, process: RunningProcess, folder: Disposable) {
    this.#url = url;
    this.#process = process;
    this.#folder = folder;
  }

  /**
   * Scrapes and evaluates every second. Alerts fire at once: `for` is left out, because tests do not wait for minutes, and
   * windows are as long as they are.
   */
  static async start(program: string, targets: ScrapeTargets): Promise<PrometheusServer> {
    const folder = temporaryFolder();
    const rules = join(root, 'deploy/prometheus/rules');
    mkdirSync(join(folder.path, 'rules'));
    for (const name of readdirSync(rules)) {
      const text = readFileSync(join(rules, name), 'utf8');
      writeFileSync(
        join(folder.path, 'rules', name),
        text.replace(/^ +for: .*\n/gm, '').replace(/interval: 30s/g, 'interval: 1s'),
      );
    }
    const jobs = Object.entries(targets).map(([job, addresses]) => ({
      job_name: job,
      static_configs: [{ targets: addresses }],
    }));
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['rules/*.yaml'],
      scrape_configs: jobs,
    };
    writeFileSync(join(folder.path, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const process = start(program, [
      `--config.file=${join(folder.path, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=${address}`,
    ]);
    await process.waitFor(/ready to receive web requests/, 30_000);
    return new PrometheusServer(`http://${address}`, process, folder);
  }

  /** The alerts that are pending or firing. */
  async alerts(): Promise<readonly FiringAlert[]> {
    const answer = await fetch(`${this.#url}/api/v1/alerts`, { signal: AbortSignal.timeout(10_000) });
    const { data } = (await answer.json()) as { data: { alerts: readonly FiringAlert[] } };
    return data.alerts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}
