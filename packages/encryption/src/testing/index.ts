export { FakeKeyService, type KeyServiceBehaviour } from './fake-key-service.ts';
