export { ExtensionServer, json } from './extension-server.ts';
