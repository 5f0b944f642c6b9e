export const configMap = (
  name: string,
  data: Record<string, string> = {},
  metadata: object = {},
): object => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, ...metadata },
  data,
});

export const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});
