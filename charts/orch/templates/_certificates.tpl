{{/* Names of Secrets, and the files in them. Both programs mount theirs as /etc/orch/pki, with the names that `orch init` uses. */}}

{{/* The Secret with all files of API servers; empty when there are separate ones. */}}
{{- define "orch.apiServerSecret" -}}
{{- ternary (printf "%s-apiserver" (include "orch.fullname" .)) .Values.certificates.secrets.apiServer .Values.certificates.create -}}
{{- end -}}

{{/* The Secret with all files of controller managers; empty when there are separate ones. */}}
{{- define "orch.controllersSecret" -}}
{{- ternary (printf "%s-controller-manager" (include "orch.fullname" .)) .Values.certificates.secrets.controllers .Values.certificates.create -}}
{{- end -}}

{{/* The Secret with admin.conf; empty when there is none. */}}
{{- define "orch.adminSecret" -}}
{{- ternary (printf "%s-admin" (include "orch.fullname" .)) .Values.certificates.secrets.admin .Values.certificates.create -}}
{{- end -}}

{{/* The Secret of the members of the bundled etcd. */}}
{{- define "orch.etcdSecret" -}}
{{- ternary (printf "%s-etcd" (include "orch.fullname" .)) .Values.certificates.secrets.etcd .Values.certificates.create -}}
{{- end -}}

{{/* Names of the Secrets that `orch init` writes, one a line. */}}
{{- define "orch.initSecrets" -}}
{{- $name := include "orch.fullname" . -}}
{{- range list "init" "apiserver" "controller-manager" "admin" }}
{{ $name }}-{{ . }}
{{- end }}
{{- if eq .Values.etcd.mode "bundled" }}
{{ $name }}-etcd
{{- end }}
{{- end -}}

{{/* A source of a projected volume with the two files of a TLS Secret, or nothing. Parameters: the name of the Secret and of the files. */}}
{{- define "orch.tlsSource" -}}
{{- if index . 0 }}
- secret:
    name: {{ index . 0 }}
    items:
      - { key: tls.crt, path: {{ index . 1 }}.crt }
      - { key: tls.key, path: {{ index . 1 }}.key }
{{- end }}
{{- end -}}

{{/* A source of a projected volume with one file of a Secret, or nothing. Parameters: the name of the Secret, its entry, and the file. */}}
{{- define "orch.fileSource" -}}
{{- if index . 0 }}
- secret:
    name: {{ index . 0 }}
    items:
      - { key: {{ index . 1 }}, path: {{ index . 2 }} }
{{- end }}
{{- end -}}

{{/* Sources of the files of API servers. */}}
{{- define "orch.apiServerFiles" -}}
{{- $secrets := .Values.certificates.secrets -}}
{{- with include "orch.apiServerSecret" . }}
- secret: { name: {{ . }} }
{{- else }}
{{- include "orch.tlsSource" (list $secrets.serving "apiserver") }}
{{- include "orch.fileSource" (list $secrets.clientCA "ca.crt" "client-ca.crt") }}
{{- include "orch.fileSource" (list $secrets.serviceAccountKey "sa.key" "service-account.key") }}
{{- include "orch.fileSource" (list $secrets.frontProxyCA "ca.crt" "front-proxy-ca.crt") }}
{{- include "orch.tlsSource" (list $secrets.frontProxyClient "front-proxy-client") }}
{{- include "orch.fileSource" (list $secrets.encryption "encryption.yaml" "encryption.yaml") }}
{{- end }}
{{- include "orch.fileSource" (list .Values.certificates.tokenSecret "tokens.csv" "tokens.csv") }}
{{- end -}}

{{/* Sources of the files of controller managers. */}}
{{- define "orch.controllerFiles" -}}
{{- $secrets := .Values.certificates.secrets -}}
{{- with include "orch.controllersSecret" . }}
- secret: { name: {{ . }} }
{{- else }}
{{- include "orch.fileSource" (list $secrets.controllerConfig "client.conf" "controller-manager.conf") }}
{{- include "orch.tlsSource" (list $secrets.clientSigning "client-ca") }}
{{- include "orch.fileSource" (list $secrets.servingCA "ca.crt" "serving-ca.crt") }}
{{- include "orch.fileSource" (list $secrets.serviceAccountKey "sa.key" "service-account.key") }}
{{- end }}
{{- end -}}

{{/*
  Annotations of pods that must start again when files are changed that are read at the start only: those of a rotation, and
  those in values. Parameters: the root and the files in values.
*/}}
{{- define "orch.checksums" -}}
checksum/rotation: {{ (index . 0).Values.certificates.rotation | toJson | sha256sum }}
{{- with index . 1 }}
checksum/files: {{ toJson . | sha256sum }}
{{- end }}
{{- end -}}
