{{/* Flags of API servers for the connection to etcd. */}}
{{- define "orch.etcdFlags" -}}
{{- if eq .Values.etcd.mode "bundled" -}}
{{- $urls := list -}}
{{- range include "orch.etcdMembers" . | trim | splitList "\n" -}}
{{- $urls = append $urls (printf "https://%s:2379" (include "orch.etcdDomain" (list $ .))) -}}
{{- end -}}
- "--etcd-servers={{ join "," $urls }}"
- --etcd-cafile=/etc/orch/pki/etcd-ca.crt
- --etcd-certfile=/etc/orch/pki/etcd-client.crt
- --etcd-keyfile=/etc/orch/pki/etcd-client.key
{{- else -}}
- "--etcd-servers={{ join "," .Values.etcd.external.servers }}"
{{- range .Values.etcd.external.overrides }}
- "--etcd-servers-overrides={{ . }}"
{{- end }}
{{- if .Values.etcd.external.tlsSecret }}
- --etcd-cafile=/etc/orch/etcd/ca.crt
- --etcd-certfile=/etc/orch/etcd/tls.crt
- --etcd-keyfile=/etc/orch/etcd/tls.key
{{- end }}
{{- end -}}
{{- end -}}
