export { signingKey, signToken } from '@orch/pki/jws';
export { abacAuthorizer } from './abac/authorizer.ts';
export { PolicyFileError, readPolicyFile } from './abac/policy-file.ts';
export { orAnonymous } from './anonymous/anonymous.ts';
export { withServerAudiences } from './audiences.ts';
export type { AnonymousConfiguration, IssuerConfiguration } from './authentication-config/configuration.ts';
export { readAuthenticationConfiguration } from './authentication-config/read-configuration.ts';
export type {
  AuthorizerConfiguration,
  LocalAuthorizerType,
  WebhookConfiguration,
} from './authorization-config/configuration.ts';
export { countedAuthorizer } from './authorization-config/counted-authorizer.ts';
export { readAuthorizationConfiguration } from './authorization-config/read-configuration.ts';
export { conditionalAuthorizer } from './authorization-config/review-conditions.ts';
export {
  alwaysAllow,
  alwaysDeny,
  everythingListed,
  explainedBy,
  firstOpinion,
  listedBy,
} from './authorizers.ts';
export { bootstrapTokenAuthenticator } from './bootstrap-token/authenticator.ts';
export { clientCertificateAuthenticator } from './client-certificate.ts';
export { currentAuthenticator, currentAuthorizer } from './current.ts';
export { headerValues, percentDecoded, utf8Text } from './header-values.ts';
export { readCompactToken } from './jwt/compact-token.ts';
export { issuerDocument, keySetDocument } from './jwt/key-documents.ts';
export { fixedKeys, replaceableKeys, type TokenKeys } from './jwt/signature.ts';
export { type AuthenticationMethods, authenticatorOfMethods } from './methods.ts';
export { isNode, nodeAuthorizer, nodeNameOf } from './node/node-authorizer.ts';
export { NodeGraph } from './node/node-graph.ts';
export { podReferences } from './node/pod-references.ts';
export { emptySource, type ObjectSource, type ObjectSubscriber, type SourceObject } from './object-source.ts';
export { configuredIssuer } from './oidc/configured-issuer.ts';
export { oidcAuthenticator } from './oidc/oidc-authenticator.ts';
export { Provider } from './oidc/provider.ts';
export { readJsonOverTls } from './oidc/read-json.ts';
export { tokenIssuersAuthenticator } from './oidc/token-issuers.ts';
export { type AllowedSubject, allowedSubjects } from './rbac/allowed-subjects.ts';
export { rbacAuthorizer } from './rbac/authorizer.ts';
export { type CompiledRule, compileRule, type Operation } from './rbac/compiled-rule.ts';
export { type UncoveredRules, uncoveredRules } from './rbac/coverage.ts';
export {
  type DefaultRbacObject,
  defaultRbacObjects,
  type RoleOrBinding,
} from './rbac/defaults/default-objects.ts';
export { RbacPolicy } from './rbac/policy.ts';
export { selectorsOf } from './rbac/policy-objects.ts';
export { type PolicyRule, policyRules } from './rbac/policy-rule.ts';
export { requestHeaderAuthenticator } from './request-header/request-header.ts';
export { serviceAccountAuthenticator } from './service-account/authenticator.ts';
export {
  type IssuedToken,
  type RequestedToken,
  type TokenIssuer,
  tokenIssuer,
} from './service-account/token-issuer.ts';
export { readTokenFile, TokenFileError, tokenFileAuthenticator } from './token-file.ts';
export type {
  Attributes,
  Authentication,
  Authenticator,
  Authorizer,
  Credentials,
  Decision,
  ExplainedDecision,
  ExplainedGrant,
  ResourceAttributes,
  RuleListing,
  UserInfo,
} from './types.ts';
export { unionAuthenticator } from './union.ts';
export {
  ClientConfigError,
  type ClientUsers,
  type RemoteService,
  readClientConfig,
  readClientUsers,
} from './webhook/client-config.ts';
export { type Connections, connectionsTo, jsonPost, readJsonAnswer } from './webhook/post-json.ts';
export { Remote } from './webhook/remote.ts';
export { RemoteError } from './webhook/remote-error.ts';
export { tokenWebhookAuthenticator } from './webhook/token-webhook.ts';
export { webhookAuthorizer } from './webhook/webhook-authorizer.ts';
export {
  type OpenWebhook,
  type WebhookAddress,
  type WebhookCall,
  type WebhookCredentials,
  type WebhookRequest,
  type WebhookService,
  webhookAddress,
} from './webhook/webhook-call.ts';
export { TrustPool } from './x509/trust-pool.ts';
