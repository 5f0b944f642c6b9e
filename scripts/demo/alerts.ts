/** An alert as Prometheus reports it. */
interface Alert {
  readonly state: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The alerts of a Prometheus that fire. */
export class FiringAlerts {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** The alert of that name for an instance; undefined when it does not fire. */
  async find(name: string, instance: string): Promise<Alert | undefined> {
    const answer = await fetch(`${this.#url}/api/v1/alerts`, { signal: AbortSignal.timeout(10_000) });
    const { data } = (await answer.json()) as { data: { alerts: readonly Alert[] } };
    return data.alerts.find(
      ({ state, labels }) =>
        state === 'firing' && labels['alertname'] === name && labels['instance'] === instance,
    );
  }

  /** Waits until `reached` accepts what `find` returns. */
  async waitFor(
    name: string,
    instance: string,
    reached: (alert: Alert | undefined) => boolean,
  ): Promise<Alert | undefined> {
    const deadline = AbortSignal.timeout(60_000);
    for (;;) {
      const alert = await this.find(name, instance);
      if (reached(alert)) return alert;
      if (deadline.aborted) throw new Error(`${name} for ${instance}: no change within a minute`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Alert rules whose duration is a second instead of minutes, and a scrape and an evaluation each second, so that a demonstration shows them. */
export function hastened(path: string, text: string): string {
  if (path.startsWith('deploy/prometheus/rules/'))
    return text.replace(/^( +for:) .*$/gm, '$1 1s').replace(/^( +interval:) .*$/gm, '$1 1s');
  if (path === 'deploy/compose/prometheus.yml') return text.replace(/(_interval:) .*$/gm, '$1 1s');
  return text;
}
