export { ProcessClock } from '../leader/testing/process-clock.ts';
export { httpProxy, type RunningProxy, socksProxy } from '../transport/testing/proxies.ts';
export { ModelApi, type ModelApiOptions } from './model-api.ts';
export { type ModelChange, ModelObjects, type ObjectPlace } from './model-objects.ts';
export type { ModelWatch } from './model-watch.ts';
export { configMap, configMaps, type TestClient, testClient } from './test-client.ts';
