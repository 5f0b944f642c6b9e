{{/* Combinations of values that values.schema.json cannot refuse. */}}
{{- define "orch.validate" -}}
{{- $certificates := .Values.certificates -}}
{{- $secrets := $certificates.secrets -}}
{{- range $name, $secret := $secrets -}}
{{- if and $certificates.create $secret -}}
{{- fail (printf "certificates.secrets.%s is an existing Secret, and certificates.create makes all of them: set certificates.create=false to use existing ones" $name) -}}
{{- end -}}
{{- end -}}
{{- if not $certificates.create -}}
{{- if not (or $secrets.apiServer $secrets.serving) -}}
{{- fail "certificates.secrets.apiServer or certificates.secrets.serving is required with certificates.create=false: replicas with different certificates cannot serve the same clients" -}}
{{- end -}}
{{- if and .Values.controllers.enabled (not (or $secrets.controllers $secrets.controllerConfig)) -}}
{{- fail "certificates.secrets.controllers or certificates.secrets.controllerConfig is required with certificates.create=false: the controllers have to authenticate" -}}
{{- end -}}
{{- if and (eq .Values.etcd.mode "bundled") (not (and $secrets.apiServer $secrets.etcd)) -}}
{{- fail "certificates.secrets.apiServer and certificates.secrets.etcd are required with certificates.create=false and etcd.mode=bundled: make both with `orch init` and its flag for the names of etcd, or use etcd.mode=external" -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.etcd.mode "external") (not .Values.etcd.external.servers) -}}
{{- fail "etcd.external.servers is required with etcd.mode=external" -}}
{{- end -}}
{{- with .Values.apiServer -}}
{{- $isConfigured := contains "--authorization-config=" (join " " .extraArgs) -}}
{{- if and $isConfigured .authorizationModes -}}
{{- fail "apiServer.authorizationModes must be [] with --authorization-config in apiServer.extraArgs" -}}
{{- end -}}
{{- if not (or $isConfigured .authorizationModes) -}}
{{- fail "apiServer.authorizationModes is required without --authorization-config in apiServer.extraArgs: all requests would be allowed" -}}
{{- end -}}
{{- $shutdown := add .shutdownDelaySeconds .requestTimeoutSeconds 5 -}}
{{- if and .terminationGracePeriodSeconds (lt (int .terminationGracePeriodSeconds) (int $shutdown)) -}}
{{- fail (printf "apiServer.terminationGracePeriodSeconds must be at least %d: the sum of shutdownDelaySeconds, requestTimeoutSeconds and 5" $shutdown) -}}
{{- end -}}
{{- if eq (int .securePort) (int .opsPort) -}}
{{- fail "apiServer.securePort and apiServer.opsPort must differ: both are ports of one container" -}}
{{- end -}}
{{- if and .autoscaling.enabled (gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas)) -}}
{{- fail "apiServer.autoscaling.minReplicas must not be greater than apiServer.autoscaling.maxReplicas" -}}
{{- end -}}
{{- if and .autoscaling.enabled (not .autoscaling.targetCPUUtilizationPercentage) (not .autoscaling.targetMemoryUtilizationPercentage) -}}
{{- fail "apiServer.autoscaling needs targetCPUUtilizationPercentage or targetMemoryUtilizationPercentage" -}}
{{- end -}}
{{- end -}}
{{- end -}}
