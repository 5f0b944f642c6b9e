import { textFlag, UsageError } from '@orch/program/flags';
import { generator, newMetadata, section, textsFlag } from './generator.ts';

/** `HOST/PATH=SERVICE:PORT[,tls[=SECRET]]`. */
const rulePattern =
  /^(?<host>[-a-z0-9.*]*)\/(?<path>[^=,]*)=(?<service>[-a-z0-9]+):(?<port>[-a-z0-9]+)(?<tls>,tls(?:=(?<secret>[-a-z0-9.]+))?)?$/i;

interface Rule {
  readonly host: string;
  readonly path: object;
  /** Undefined without TLS; empty for the certificate of the controller. */
  readonly secret: string | undefined;
}

export const ingress = generator({
  usage:
    'ingress NAME (--rule=HOST/PATH=SERVICE:PORT[,tls[=SECRET]] | --default-backend=SERVICE:PORT) [flags]',
  about: 'Creates an ingress. A path that ends with * is a prefix, another one must match exactly.',
  examples: [
    {
      comment: 'A host with TLS',
      line: "orchctl create ingress web --rule='a.example.com/=web:80,tls=cert'",
    },
    { comment: 'All hosts', line: "orchctl create ingress all --class=outer --rule='/path*=web:http'" },
  ],
  flags: {
    class: textFlag({ name: 'class', help: 'The ingress class.', section }),
    rule: textsFlag({ name: 'rule', help: 'A rule; may be repeated.', section }),
    defaultBackend: textFlag({
      name: 'default-backend',
      help: 'The service of all other requests: SERVICE:PORT.',
      section,
    }),
    annotation: textsFlag({
      name: 'annotation',
      help: 'An annotation: KEY=VALUE; may be repeated.',
      section,
    }),
  },
  isNamespaced: true,
  async build({ name, flags, names }) {
    if (flags.defaultBackend === '' && flags.rule.length === 0)
      throw new UsageError(
        'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
      );
    const rules = flags.rule.map(readRule);
    const annotations = annotationsOf(flags.annotation);
    const tls = tlsOf(rules);
    return {
      ...{ apiVersion: (await names()).apiVersion('networking', 'v1'), kind: 'Ingress' },
      metadata: { ...newMetadata(name), ...(flags.annotation.length > 0 && { annotations }) },
      spec: {
        ...(flags.defaultBackend !== '' && { defaultBackend: defaultBackend(flags.defaultBackend) }),
        ...(flags.class !== '' && { ingressClassName: flags.class }),
        ...(rules.length > 0 && { rules: rulesOf(rules) }),
        ...(tls.length > 0 && { tls }),
      },
      status: { loadBalancer: {} },
    };
  },
});

function readRule(text: string): Rule {
  const groups = rulePattern.exec(text)?.groups;
  if (groups === undefined)
    throw new UsageError(
      `rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
    );
  const { host = '', path = '', service = '', port = '', tls, secret = '' } = groups;
  const isPrefix = path.endsWith('*');
  return {
    host,
    path: {
      backend: backendOf(service, port),
      path: `/${isPrefix ? path.slice(0, -1) : path}`,
      pathType: isPrefix ? 'Prefix' : 'Exact',
    },
    secret: tls === undefined ? undefined : secret,
  };
}

const backendOf = (name: string, port: string): object => ({
  service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } },
});

function defaultBackend(text: string): object {
  const [service = '', port, ...more] = text.split(':');
  if (port === undefined || more.length > 0)
    throw new UsageError('default-backend should be in format servicename:serviceport');
  return backendOf(service, port);
}

function annotationsOf(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const [key = '', ...value] = text.split('=');
    if (value.length === 0)
      throw new UsageError(`annotation ${text} is invalid and should be in format key=[value]`);
    return [key, value.join('=')];
  });
  return Object.fromEntries(pairs);
}

/** One rule for each host, with its paths in order. */
const rulesOf = (rules: readonly Rule[]): readonly object[] =>
  [...Map.groupBy(rules, ({ host }) => host)].map(([host, same]) => ({
    ...(host !== '' && { host }),
    http: { paths: same.map(({ path }) => path) },
  }));

/** The hosts of each certificate; a host has the certificate of its first rule with TLS. */
function tlsOf(rules: readonly Rule[]): readonly object[] {
  const hosts = new Map<string, string>();
  for (const { host, secret } of rules) if (secret !== undefined && !hosts.has(host)) hosts.set(host, secret);
  return [...Map.groupBy(hosts, ([, secret]) => secret)]
    .map(([secretName, entries]) => ({
      secretName,
      hosts: entries.map(([host]) => host).filter((host) => host !== ''),
    }))
    .filter((one) => one.hosts.length > 0 || one.secretName !== '')
    .map((one) => ({
      ...(one.hosts.length > 0 && { hosts: one.hosts }),
      ...(one.secretName !== '' && { secretName: one.secretName }),
    }));
}
