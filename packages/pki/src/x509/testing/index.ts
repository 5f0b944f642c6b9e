export { simpleName } from '../subject.ts';
export { certificateOfSubject } from './certificate-of-subject.ts';
export { makeRequest } from './make-request.ts';
export { authorities, base64, requests } from './requests.ts';
export { signedRequests } from './signed-requests.ts';
export { testCertificate } from './test-certificate.ts';
