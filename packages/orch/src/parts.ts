export { Pauses } from '@orch/controller-manager';
export { checkControllerFlags, runControllers } from './controllers-part.ts';
export { localTransport } from './local-transport.ts';
export { orchFlags } from './orch-flags.ts';
