{{/* Shared parts of the bundled servers. Every template takes root and server. */}}

{{/* The Service of a bundled server. */}}
{{- define "storekeep.bundledService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "storekeep.metadata" (dict "root" .root "component" .server "suffix" .server) | nindent 2 }}
spec:
  selector:
    {{- include "storekeep.selector" (dict "root" .root "name" .server) | nindent 4 }}
  ports:
    - name: {{ .server }}
      port: {{ include "storekeep.bundledPort" .server }}
      targetPort: {{ .server }}
{{- end -}}

{{/* Allows only the given components (`names`) to reach a bundled server, and no egress. */}}
{{- define "storekeep.bundledNetworkPolicy" -}}
{{- if .root.Values.networkPolicy.enabled -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "storekeep.metadata" (dict "root" .root "component" .server "suffix" .server) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "storekeep.selector" (dict "root" .root "name" .server) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports:
        - port: {{ .server }}
          protocol: TCP
      from:
        {{- include "storekeep.peers" . | nindent 8 }}
{{- end -}}
{{- end -}}

{{/* Common container fields: image, port, TCP probes, security context and resources. */}}
{{- define "storekeep.bundledContainer" -}}
{{- $values := get .root.Values.bundled .server -}}
name: {{ .server }}
image: {{ include "storekeep.image" (dict "root" .root "image" $values.image) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
ports:
  - name: {{ .server }}
    containerPort: {{ include "storekeep.bundledPort" .server }}
startupProbe:
  tcpSocket:
    port: {{ .server }}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  tcpSocket:
    port: {{ .server }}
  periodSeconds: 5
{{ include "storekeep.containerSecurity" .root }}
resources:
  {{- toYaml $values.resources | nindent 2 }}
{{- end -}}

{{/* A password in the chart's Secret as the environment variable named `variable`. Takes root, key and variable. */}}
{{- define "storekeep.bundledPassword" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ include "storekeep.fullname" .root }}
      key: {{ .key }}
{{- end -}}

{{/* Common pod fields. */}}
{{- define "storekeep.bundledPod" -}}
serviceAccountName: {{ include "storekeep.serviceAccountName" .root }}
{{ include "storekeep.podSecurity" .root }}
{{ include "storekeep.imagePullSecrets" .root }}
{{- include "storekeep.placement" (omit .root.Values.defaults "priorityClassName") }}
{{- end -}}

{{/* The volume claim template for `data`, unless storage is empty. */}}
{{- define "storekeep.bundledClaim" -}}
{{- $values := get .root.Values.bundled .server -}}
{{- if $values.storage -}}
volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      {{- with $values.storageClassName }}
      storageClassName: {{ . }}
      {{- end }}
      resources:
        requests:
          storage: {{ $values.storage }}
{{- end -}}
{{- end -}}

{{/* An emptyDir for `data` if storage is empty. */}}
{{- define "storekeep.bundledVolume" -}}
{{- if not (get .root.Values.bundled .server).storage }}
- name: data
  emptyDir: {}
{{- end }}
{{- end -}}
