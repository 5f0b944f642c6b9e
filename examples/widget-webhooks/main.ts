import { runManager } from '@orch/client';
import { webhookServer } from '@orch/client/webhooks';

const webhooks = webhookServer({
  tls: { certFile: '/tls/tls.crt', keyFile: '/tls/tls.key' },
  admission: {
    '/validate-widget': ({ object }) =>
      object?.metadata.labels?.['team'] === undefined
        ? { allowed: false, message: 'a widget must have the label team' }
        : { allowed: true },
    '/default-widget': ({ object }) => {
      if (object === null) return { allowed: true };
      return { allowed: true, object: { color: 'red', ...object } };
    },
  },
  conversion: {
    '/convert-widget': ({ size, width, ...widget }, desired) =>
      desired.endsWith('/v2') ? { ...widget, width: size ?? width } : { ...widget, size: size ?? width },
  },
});
await runManager({ name: 'widgets', servers: [webhooks], controllers: () => [] });
