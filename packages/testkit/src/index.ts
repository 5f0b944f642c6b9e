export * from './api-client.ts';
export * from './haproxy.ts';
export * from './kubectl.ts';
export * from './launch.ts';
export * from './process.ts';
