import { generator, newMetadata } from './generator.ts';

export const serviceAccount = generator({
  usage: 'serviceaccount NAME [flags]',
  about: 'Creates a service account.',
  examples: [{ comment: 'A service account', line: 'orchctl create serviceaccount robot' }],
  flags: {},
  isNamespaced: true,
  build: ({ name }) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: newMetadata(name) }),
});
