{{/*
TLS between the gateway and the services: who calls whom follows from the catalogue, as the network policies do. The names
of a component are those of its Service; callers ask for the short one, services know callers by the one with the namespace.
*/}}

{{/* Those that call a service, as YAML `names: []`. Takes root and name. */}}
{{- define "storekeep.callers" -}}
{{- $callers := list -}}
{{- range $caller, $known := .root.Files.Get "files/services.yaml" | fromYaml -}}
{{- if has $.name (include "storekeep.calls" $known | fromYaml).names -}}
{{- $callers = append $callers $caller -}}
{{- end -}}
{{- end -}}
{{- if ne .name "gateway" -}}
{{- $callers = append $callers "gateway" -}}
{{- end -}}
names: {{ $callers | toJson }}
{{- end -}}

{{/* The name by which services know a caller. Takes root and name. */}}
{{- define "storekeep.tlsName" -}}
{{ include "storekeep.fullname" .root }}-{{ .name }}.{{ .root.Release.Namespace }}.svc
{{- end -}}

{{/* The Secret that holds a component's certificate. Takes root and name. */}}
{{- define "storekeep.tlsSecret" -}}
{{- if .root.Values.tls.certManager.enabled -}}
{{ include "storekeep.fullname" .root }}-{{ .name }}-tls
{{- else -}}
{{ .root.Values.tls.existingSecret | replace "{component}" .name }}
{{- end -}}
{{- end -}}

{{/* The settings that turn TLS on, as YAML. Takes root, name and isCalled. */}}
{{- define "storekeep.tlsSettings" -}}
{{- if .root.Values.tls.enabled -}}
GRPC_TLS_CERT_FILE: /etc/storekeep/tls/tls.crt
GRPC_TLS_KEY_FILE: /etc/storekeep/tls/tls.key
GRPC_TLS_CA_FILE: /etc/storekeep/tls/ca.crt
{{- if .isCalled }}
{{- $names := list -}}
{{- range (include "storekeep.callers" . | fromYaml).names -}}
{{- $names = append $names (include "storekeep.tlsName" (dict "root" $.root "name" .)) -}}
{{- end }}
GRPC_TLS_CALLERS: {{ join "," $names }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* Where the files of TLS are mounted: a whole folder, since the cluster changes single files (subPath) never again. Takes root. */}}
{{- define "storekeep.tlsMount" -}}
{{- if .root.Values.tls.enabled }}
- name: tls
  mountPath: /etc/storekeep/tls
  readOnly: true
{{- end }}
{{- end -}}

{{/* The volume of these. Takes root and name. */}}
{{- define "storekeep.tlsVolume" -}}
{{- $bundle := .root.Values.tls.trustBundle -}}
{{- if .root.Values.tls.enabled }}
- name: tls
  projected:
    # 0440: readable by the group of the pod, which is fsGroup.
    defaultMode: 288
    sources:
      - secret:
          name: {{ include "storekeep.tlsSecret" . }}
          items:
            - key: tls.crt
              path: tls.crt
            - key: tls.key
              path: tls.key
            {{- if not $bundle.configMap }}
            - key: ca.crt
              path: ca.crt
            {{- end }}
      {{- if $bundle.configMap }}
      - configMap:
          name: {{ $bundle.configMap }}
          items:
            - key: {{ $bundle.key }}
              path: ca.crt
      {{- end }}
{{- end }}
{{- end -}}

{{- define "storekeep.tlsProblems" -}}
{{- $problems := list -}}
{{- $tls := .Values.tls -}}
{{- $manager := $tls.certManager -}}
{{- if and $tls.enabled (not $tls.existingSecret) (not $manager.enabled) -}}
{{- $problems = append $problems "tls.enabled is true, but there is no certificate: give tls.existingSecret, or set tls.certManager.enabled to true." -}}
{{- end -}}
{{- if and (not $tls.enabled) (or $tls.existingSecret $manager.enabled) -}}
{{- $problems = append $problems "tls.enabled is false, so the certificates of tls.existingSecret or tls.certManager would protect nothing; set it to true or leave them out." -}}
{{- end -}}
{{- if and $tls.existingSecret $manager.enabled -}}
{{- $problems = append $problems "tls.existingSecret and tls.certManager.enabled are both set; certificates are either yours or made by cert-manager." -}}
{{- end -}}
{{- if and $tls.existingSecret (not (contains "{component}" $tls.existingSecret)) -}}
{{- $problems = append $problems "tls.existingSecret must contain {component}, since with one certificate for all no service could tell its callers apart." -}}
{{- end -}}
{{- if and $manager.enabled (not $manager.issuerRef.name) -}}
{{- $problems = append $problems "tls.certManager.enabled is true, but tls.certManager.issuerRef.name does not say who issues the certificates." -}}
{{- end -}}
{{- if ge (trimSuffix "h" $manager.renewBefore | int) (trimSuffix "h" $manager.duration | int) -}}
{{- $problems = append $problems "tls.certManager.renewBefore is not shorter than duration, so certificates would be renewed all the time." -}}
{{- end -}}
problems: {{ $problems | toJson }}
{{- end -}}
