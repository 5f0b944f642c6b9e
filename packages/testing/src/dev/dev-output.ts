/** What `orch dev` tells: each event is one line of JSON, or lines for people. */
export type DevEvent =
  | { readonly event: 'ready'; readonly url: string; readonly adminConfig: string }
  | { readonly event: 'applied'; readonly file: string; readonly objects: number }
  | { readonly event: 'deleted'; readonly object: string }
  | { readonly event: 'failed'; readonly file: string; readonly message: string }
  | { readonly event: 'reset' };

export type Report = (event: DevEvent) => void;

export interface DevStream {
  write(text: string): unknown;
}

/** One JSON object a line. */
export const jsonReport =
  (out: DevStream): Report =>
  (event) =>
    void out.write(`${JSON.stringify(event)}\n`);

/** Lines for people. `hasKeys`: keys of the terminal are read. */
export const textReport =
  (out: DevStream, hasKeys: boolean): Report =>
  (event) =>
    void out.write(`${textOf(event, hasKeys)}\n`);

function textOf(event: DevEvent, hasKeys: boolean): string {
  switch (event.event) {
    case 'ready':
      return readyText(event.url, event.adminConfig, hasKeys);
    case 'applied':
      return `applied ${event.file}: ${event.objects} ${event.objects === 1 ? 'object' : 'objects'}`;
    case 'deleted':
      return `deleted ${event.object}`;
    case 'failed':
      return `cannot apply ${event.file}: ${event.message}`;
    case 'reset':
      return 'reset all objects to those of the start';
  }
}

const readyText = (url: string, adminConfig: string, hasKeys: boolean): string =>
  [
    `The control plane is ready at ${url}`,
    '',
    `  export KUBECONFIG=${adminConfig}`,
    '  kubectl get namespaces',
    '',
    `In a browser: orchctl console --client-config=${adminConfig}`,
    'Tests with envtest use it with USE_EXISTING_CLUSTER=true.',
    ...(hasKeys ? ['Press r to reset all objects, q to stop.'] : []),
  ].join('\n');
