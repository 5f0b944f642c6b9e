/** Loaded only where the environment names a proxy: the exceptions of `NO_PROXY` need a parser of addresses. */
export { withEnvironmentProxy } from '@orch/client';
