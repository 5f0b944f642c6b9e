export { requestSpan } from './request-span.ts';
export { tracedHandler, tracedStage } from './traced-stage.ts';
export { tracedStore } from './traced-store.ts';
export { openTracing, Tracing } from './tracing.ts';
