export { FakeKeyService } from './fake-key-service.ts';
