{{/*
Mutual TLS between the gateway, the pages and the services. The allowed callers come from files/services.yaml, as in the network
policies. A certificate is valid for the names of its component's Service: clients verify the short name, servers identify
callers by the name with the namespace.
*/}}

{{/* The components that call a service, as a JSON array. Takes root and name. */}}
{{- define "storekeep.callers" -}}
{{- $callers := list -}}
{{- $catalog := .root.Files.Get "files/services.yaml" | fromYaml -}}
{{- range $caller, $known := $catalog.services -}}
{{- if has $.name ($known.calls | default list) -}}
{{- $callers = append $callers $caller -}}
{{- end -}}
{{- end -}}
{{- if and .root.Values.adminTools.enabled (has .name (include "storekeep.adminToolsCalls" .root | fromJsonArray)) -}}
{{- $callers = append $callers "admin-tools" -}}
{{- end -}}
{{- $frontends := dict "pages" $catalog.pages.calls "gateway" $catalog.gateway.calls -}}
{{- range $caller := list "pages" "gateway" -}}
{{- $isKnown := or (include "storekeep.runs" (dict "root" $.root "name" $caller)) $.root.Values.gatewayRelease.release -}}
{{- if and $isKnown (has $.name (get $frontends $caller)) -}}
{{- $callers = append $callers $caller -}}
{{- end -}}
{{- end -}}
{{- $callers | toJson -}}
{{- end -}}

{{/* The name that identifies a component. Takes root and name. */}}
{{- define "storekeep.tlsName" -}}
{{ include "storekeep.fullname" .root }}-{{ .name }}.{{ .root.Release.Namespace }}.svc
{{- end -}}

{{/* The name that identifies a caller, which may run in the release of the gateway. Takes root and name. */}}
{{- define "storekeep.callerTlsName" -}}
{{- if include "storekeep.isRemoteCaller" . -}}
{{- $place := include "storekeep.place" (dict "root" .root "place" .root.Values.gatewayRelease) | fromJson -}}
{{ $place.fullname }}-{{ .name }}.{{ $place.namespace }}.svc
{{- else -}}
{{ include "storekeep.tlsName" . }}
{{- end -}}
{{- end -}}

{{/* "true" for the gateway and the pages, if they run in another release. Takes root and name. */}}
{{- define "storekeep.isRemoteCaller" -}}
{{- if has .name (list "gateway" "pages") -}}
{{- include "storekeep.runs" . | empty | ternary "true" "" -}}
{{- end -}}
{{- end -}}

{{/* The Secret with a component's certificate. Takes root and name. */}}
{{- define "storekeep.tlsSecret" -}}
{{- if .root.Values.tls.certManager.enabled -}}
{{ include "storekeep.fullname" .root }}-{{ .name }}-tls
{{- else -}}
{{ .root.Values.tls.existingSecret | replace "{component}" .name }}
{{- end -}}
{{- end -}}

{{/* The TLS settings, as YAML. Takes root, name and isServer. */}}
{{- define "storekeep.tlsSettings" -}}
{{- if .root.Values.tls.enabled -}}
GRPC_TLS_CERT_FILE: /etc/storekeep/tls/tls.crt
GRPC_TLS_KEY_FILE: /etc/storekeep/tls/tls.key
GRPC_TLS_CA_FILE: /etc/storekeep/tls/ca.crt
{{- if .isServer }}
{{- $names := list -}}
{{- range include "storekeep.callers" . | fromJsonArray -}}
{{- $names = append $names (printf "%s=%s" . (include "storekeep.callerTlsName" (dict "root" $.root "name" .))) -}}
{{- end }}
GRPC_TLS_CALLERS: {{ join "," $names }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* Mounts the TLS files as a folder, because Kubernetes does not update subPath mounts. Takes root. */}}
{{- define "storekeep.tlsMount" -}}
{{- if .root.Values.tls.enabled }}
- name: tls
  mountPath: /etc/storekeep/tls
  readOnly: true
{{- end }}
{{- end -}}

{{/* The volume with the TLS files. Takes root and name. */}}
{{- define "storekeep.tlsVolume" -}}
{{- $bundle := .root.Values.tls.trustBundle -}}
{{- if .root.Values.tls.enabled }}
- name: tls
  projected:
    # 0440: readable by fsGroup.
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

{{- define "storekeep.tlsErrors" -}}
{{- $errors := list -}}
{{- $tls := .Values.tls -}}
{{- $certManager := $tls.certManager -}}
{{- if and $tls.enabled (not $tls.existingSecret) (not $certManager.enabled) -}}
{{- $errors = append $errors "tls.enabled is true, but no certificates are configured; set tls.existingSecret, or set tls.certManager.enabled to true." -}}
{{- end -}}
{{- if and (not $tls.enabled) (or $tls.existingSecret $certManager.enabled) -}}
{{- $errors = append $errors "tls.existingSecret or tls.certManager is set, but tls.enabled is false; set it to true or remove them." -}}
{{- end -}}
{{- if and $tls.existingSecret $certManager.enabled -}}
{{- $errors = append $errors "tls.existingSecret and tls.certManager.enabled are mutually exclusive; remove one of them." -}}
{{- end -}}
{{- if and $tls.existingSecret (not (contains "{component}" $tls.existingSecret)) -}}
{{- $errors = append $errors "tls.existingSecret must contain {component}: services identify their callers by certificate, so each component needs a separate one." -}}
{{- end -}}
{{- if and $certManager.enabled (not $certManager.issuerRef.name) -}}
{{- $errors = append $errors "tls.certManager.issuerRef.name is required if tls.certManager.enabled is true." -}}
{{- end -}}
{{- if ge (trimSuffix "h" $certManager.renewBefore | int) (trimSuffix "h" $certManager.duration | int) -}}
{{- $errors = append $errors "tls.certManager.renewBefore must be shorter than duration; otherwise certificates are renewed continuously." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}
