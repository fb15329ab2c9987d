{{/*
The files with which services authenticate to NATS and verify it. The Secrets are the installer's; a service reads the files
again for each connection.
*/}}

{{/* The folder of the files. */}}
{{- define "storekeep.natsFolder" -}}
/etc/storekeep/nats
{{- end -}}

{{/* The files of the given values as a JSON array of `setting`, `secret`, `key` and `path`. Takes root and name. */}}
{{- define "storekeep.natsFiles" -}}
{{- $nats := .root.Values.nats -}}
{{- $files := list -}}
{{- range list
  (dict "setting" "NATS_CREDS_FILE" "from" $nats.auth "key" $nats.auth.credsKey "path" "user.creds")
  (dict "setting" "NATS_NKEY_FILE" "from" $nats.auth "key" $nats.auth.nkeyKey "path" "user.nk")
  (dict "setting" "NATS_TLS_CA_FILE" "from" $nats.tls "key" $nats.tls.caKey "path" "ca.crt")
  (dict "setting" "NATS_TLS_CERT_FILE" "from" $nats.tls "key" $nats.tls.certKey "path" "tls.crt")
  (dict "setting" "NATS_TLS_KEY_FILE" "from" $nats.tls "key" $nats.tls.keyKey "path" "tls.key") -}}
{{- if and .from.existingSecret .key -}}
{{- $secret := replace "{component}" $.name .from.existingSecret -}}
{{- $files = append $files (dict "setting" .setting "secret" $secret "key" .key "path" .path) -}}
{{- end -}}
{{- end -}}
{{- toJson $files -}}
{{- end -}}

{{/* The settings of the files, as JSON. Takes root and name. */}}
{{- define "storekeep.natsSettings" -}}
{{- $settings := dict -}}
{{- range include "storekeep.natsFiles" . | fromJsonArray -}}
{{- $_ := set $settings .setting (printf "%s/%s" (include "storekeep.natsFolder" $) .path) -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{/* "true" if a component has such files. Takes root and component. */}}
{{- define "storekeep.hasNatsFiles" -}}
{{- $files := include "storekeep.natsFiles" (dict "root" .root "name" .component.name) -}}
{{- and .component.isService (ne $files "[]") | ternary "true" "" -}}
{{- end -}}

{{/* Mounts the files as a folder, because Kubernetes does not update subPath mounts. Takes root and component. */}}
{{- define "storekeep.natsMount" -}}
{{- if include "storekeep.hasNatsFiles" . }}
- name: nats-files
  mountPath: {{ include "storekeep.natsFolder" . }}
  readOnly: true
{{- end }}
{{- end -}}

{{/* The volume with the files. Takes root and component. */}}
{{- define "storekeep.natsVolume" -}}
{{- if include "storekeep.hasNatsFiles" . }}
- name: nats-files
  projected:
    # 0440: readable by fsGroup.
    defaultMode: 288
    sources:
      {{- range include "storekeep.natsFiles" (dict "root" .root "name" .component.name) | fromJsonArray }}
      - secret:
          name: {{ .secret }}
          items:
            - key: {{ .key }}
              path: {{ .path }}
      {{- end }}
{{- end }}
{{- end -}}

{{- define "storekeep.natsErrors" -}}
{{- $errors := list -}}
{{- $auth := .Values.nats.auth -}}
{{- $tls := .Values.nats.tls -}}
{{- if and $auth.existingSecret (not $auth.credsKey) (not $auth.nkeyKey) -}}
{{- $errors = append $errors "nats.auth has an existingSecret but no key; set nats.auth.credsKey for a credentials file, or nats.auth.nkeyKey for the seed of an NKey." -}}
{{- end -}}
{{- if and $auth.credsKey $auth.nkeyKey -}}
{{- $errors = append $errors "nats.auth has both credsKey and nkeyKey; remove one of them." -}}
{{- end -}}
{{- if and (or $auth.credsKey $auth.nkeyKey) (not $auth.existingSecret) -}}
{{- $errors = append $errors "nats.auth has a key but no existingSecret; set nats.auth.existingSecret or remove the key." -}}
{{- end -}}
{{- if and $tls.existingSecret (not $tls.caKey) (not $tls.certKey) (not $tls.keyKey) -}}
{{- $errors = append $errors "nats.tls has an existingSecret but no key; set nats.tls.caKey, or nats.tls.certKey and nats.tls.keyKey." -}}
{{- end -}}
{{- if ne (empty $tls.certKey) (empty $tls.keyKey) -}}
{{- $errors = append $errors "nats.tls has only one of certKey and keyKey; set both for a client certificate, or leave both empty." -}}
{{- end -}}
{{- if and .Values.bundled.nats.enabled (or $auth.existingSecret $tls.existingSecret) -}}
{{- $errors = append $errors "bundled.nats is enabled, which has its own passwords and no TLS; remove nats.auth.existingSecret and nats.tls.existingSecret." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}
