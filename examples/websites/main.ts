import { runManager } from '@orch/client';
import { websiteOperator } from './operator.ts';

await runManager(websiteOperator('/tls'));
