import type { ManagerOptions } from '@orch/client';
import { webhookServer } from '@orch/client/webhooks';
import { websiteController } from './controller.ts';
import { admission } from './webhooks.ts';

/** The operator: replicas elect one that works, and all of them serve webhooks. */
export const websiteOperator = (certificates: string): ManagerOptions => ({
  name: 'websites',
  election: true,
  ops: { port: 8080 },
  servers: [
    webhookServer({
      tls: { certFile: `${certificates}/tls.crt`, keyFile: `${certificates}/tls.key` },
      admission,
    }),
  ],
  controllers: (context) => [websiteController(context, 'default')],
});
