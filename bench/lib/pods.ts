/** Determines the size of a pod. */
export interface PodSize {
  readonly containers: readonly string[];
  /** Environment variables of each container. */
  readonly settings: number;
}

/** About 4.6 KB once the server has added its defaults, a status and the owners of all fields (2.2 KB of it). */
const ordinary: PodSize = { containers: ['main'], settings: 8 };

/** About 4.6 KB as sent. */
export const largePod: PodSize = { containers: ['main', 'proxy'], settings: 18 };

/** A pod like those of a busy cluster: probes, volumes, settings, tolerations. */
export function podOf(index: number, size: PodSize = ordinary): Record<string, unknown> {
  const node = `node-${index % 100}`;
  const app = `app-${index % 100}`;
  const container = (name: string): Record<string, unknown> => ({
    name,
    image: `example/${name}:v1.${index % 10}`,
    args: ['--port=8080', '--log-format=json', `--shard=${index}`],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: Array.from({ length: size.settings }, (_, i) => ({
      name: `SETTING_${name.toUpperCase()}_${i}`,
      value: `value-${i}-of-${name}`,
    })),
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
    volumeMounts: [
      { name: 'data', mountPath: '/var/lib/data' },
      { name: 'config', mountPath: '/etc/config', readOnly: true },
    ],
    livenessProbe: {
      httpGet: { path: '/livez', port: 8080, scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    },
    readinessProbe: {
      httpGet: { path: '/readyz', port: 8080, scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  });
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: `pod-${String(index).padStart(6, '0')}`,
      namespace: 'default',
      labels: { app, tier: index % 2 === 0 ? 'front' : 'back', 'pod-template-hash': `6d4cf56db${index % 7}` },
      annotations: {
        'example.com/config-hash': `${'0123456789abcdef'.repeat(4)}`,
        'example.com/note': 'x'.repeat(120),
      },
    },
    spec: {
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'config', configMap: { name: 'settings', defaultMode: 420 } },
      ],
      containers: size.containers.map(container),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      nodeName: node,
      securityContext: {},
      schedulerName: 'default-scheduler',
      tolerations: [
        { key: 'example.com/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'example.com/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    },
  };
}

/** A ConfigMap of about 1 KiB. */
export const configMapOf = (name: string, revision = 0): Record<string, unknown> => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default', labels: { app: 'bench' } },
  data: { revision: String(revision), text: 'y'.repeat(820) },
});
