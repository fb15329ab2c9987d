{{/* A server of one pod, for trials. Takes root, server and port; the including file writes the container's own part. */}}

{{/* The Service of a bundled server. */}}
{{- define "storekeep.bundledService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "storekeep.metadata" (dict "root" .root "component" .server "ending" .server) | nindent 2 }}
spec:
  selector:
    {{- include "storekeep.selector" (dict "root" .root "name" .server) | nindent 4 }}
  ports:
    - name: {{ .server }}
      port: {{ include "storekeep.bundledPort" .server }}
      targetPort: {{ .server }}
{{- end -}}

{{/* Who may reach a bundled server: those that use it, and nobody else. It calls nobody. Takes names as well. */}}
{{- define "storekeep.bundledNetworkPolicy" -}}
{{- if .root.Values.networkPolicy.enabled -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "storekeep.metadata" (dict "root" .root "component" .server "ending" .server) | nindent 2 }}
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

{{/* What the container of every bundled server has: image, port, a probe of the port, its resources. */}}
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

{{/* The password of a bundled server as an environment variable. Takes variable as well. */}}
{{- define "storekeep.bundledPassword" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ include "storekeep.fullname" .root }}
      key: {{ .server }}.PASSWORD
{{- end -}}

{{/* Everything of the pod but its containers and further volumes. */}}
{{- define "storekeep.bundledPod" -}}
serviceAccountName: {{ include "storekeep.serviceAccountName" .root }}
{{ include "storekeep.podSecurity" .root }}
{{ include "storekeep.imagePullSecrets" .root }}
{{- include "storekeep.placement" (omit .root.Values.defaults "priorityClassName") }}
{{- end -}}

{{/* The claim for the volume `data`. */}}
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

{{/* The volume `data` of a server that keeps nothing. */}}
{{- define "storekeep.bundledVolume" -}}
{{- if not (get .root.Values.bundled .server).storage }}
- name: data
  emptyDir: {}
{{- end }}
{{- end -}}
