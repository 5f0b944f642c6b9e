import { generator, newMetadata } from './generator.ts';

export const namespace = generator({
  usage: 'namespace NAME [flags]',
  about: 'Creates a namespace.',
  examples: [{ comment: 'A namespace', line: 'orchctl create namespace team' }],
  flags: {},
  isNamespaced: false,
  build: ({ name }) => ({
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: newMetadata(name) },
    ...{ spec: {}, status: {} },
  }),
});
