{{/*
Cells (docs/decisions/0039). A release runs the services of one cell, or none with `cell: none`. The gateway and the pages run in the
release of cell 0 or in one without services, and call the services of every cell.
*/}}

{{/* "true" if this release runs something: `services`, `gateway`, `pages`, `migrations`, `admin-tools` or `tests`. Takes root and name. */}}
{{- define "storekeep.runs" -}}
{{- $values := .root.Values -}}
{{- $cell := toString $values.cell -}}
{{- $hasServices := ne $cell "none" -}}
{{- if eq .name "services" -}}
{{- $hasServices | ternary "true" "" -}}
{{- else if eq .name "migrations" -}}
{{- and $hasServices $values.migrations.enabled | ternary "true" "" -}}
{{- else if eq .name "admin-tools" -}}
{{- and $hasServices $values.adminTools.enabled | ternary "true" "" -}}
{{- else if eq .name "tests" -}}
{{- and $hasServices $values.tests.enabled (include "storekeep.runs" (dict "root" .root "name" "gateway") | eq "true") | ternary "true" "" -}}
{{- else -}}
{{- $enabled := (get $values .name).enabled -}}
{{- kindIs "bool" $enabled | ternary $enabled (has $cell (list "0" "none")) | ternary "true" "" -}}
{{- end -}}
{{- end -}}

{{/* The setting with the address of a service in a cell: CELL_1_BANS_ADDRESS. Takes cell and name. */}}
{{- define "storekeep.cellAddressSetting" -}}
{{- eq .cell "0" | ternary "" (printf "CELL_%s_" .cell) }}{{ include "storekeep.addressSetting" .name -}}
{{- end -}}

{{/*
Where another release is, as JSON: release, fullname and namespace. Takes root and place, values with release, namespace and
fullnameOverride.
*/}}
{{- define "storekeep.place" -}}
{{- $release := .place.release | default "" -}}
{{- $name := include "storekeep.name" .root -}}
{{- $full := contains $name $release | ternary $release (printf "%s-%s" $release $name) -}}
{{- $full = .place.fullnameOverride | default $full | trunc 38 | trimSuffix "-" -}}
{{- dict "release" $release "fullname" $full "namespace" (.place.namespace | default .root.Release.Namespace) | toJson -}}
{{- end -}}

{{/* The cells that the gateway and the pages serve, by number: `{}` for this release, otherwise its entry in `cells`. As JSON. */}}
{{- define "storekeep.cells" -}}
{{- $cells := dict -}}
{{- range .Values.cells -}}
{{- $_ := set $cells (toString .cell) . -}}
{{- end -}}
{{- if include "storekeep.runs" (dict "root" . "name" "services") -}}
{{- $_ := set $cells (toString .Values.cell) dict -}}
{{- end -}}
{{- toJson $cells -}}
{{- end -}}

{{/* CELLS and the addresses of the services that a component calls, as JSON. Takes root and component. */}}
{{- define "storekeep.cellSettings" -}}
{{- $root := .root -}}
{{- $settings := dict -}}
{{- $numbers := list -}}
{{- $cells := include "storekeep.cells" .root | fromJson -}}
{{- range $number := until 64 -}}
{{- $key := toString $number -}}
{{- if hasKey $cells $key -}}
{{- $numbers = append $numbers $key -}}
{{- $cell := get $cells $key -}}
{{- range $name := $.component.calls -}}
{{- $setting := include "storekeep.cellAddressSetting" (dict "cell" $key "name" $name) -}}
{{- $address := include "storekeep.address" (dict "root" $root "name" $name) -}}
{{- if $cell.addresses -}}
{{- $address = get $cell.addresses $name -}}
{{- else if $cell.release -}}
{{- $place := include "storekeep.place" (dict "root" $root "place" $cell) | fromJson -}}
{{- $address = printf "dns:///%s-%s.%s.svc:%s" $place.fullname $name $place.namespace (include "storekeep.grpcPort" (dict "root" $root "name" $name)) -}}
{{- end -}}
{{- $_ := set $settings $setting $address -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $_ := set $settings "CELLS" (join "," $numbers) -}}
{{- toJson $settings -}}
{{- end -}}

{{/* The pods of components of another release as a peer of a NetworkPolicy rule. Takes root, place and names. */}}
{{- define "storekeep.remotePeers" -}}
{{- $place := include "storekeep.place" . | fromJson -}}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ $place.namespace }}
  podSelector:
    matchLabels:
      app.kubernetes.io/name: {{ include "storekeep.name" .root }}
      app.kubernetes.io/instance: {{ $place.release }}
    matchExpressions:
      - key: app.kubernetes.io/component
        operator: In
        values: {{ .names | toJson }}
{{- end -}}

{{/* Egress of the gateway and the pages to the services of the cells in other releases. Takes root and component. */}}
{{- define "storekeep.cellEgress" -}}
{{- range $cell := .root.Values.cells }}
{{- if .addresses }}
{{- $ports := list }}
{{- range $name := $.component.calls }}
{{- $ports = append $ports (regexFind "[0-9]+$" (get $cell.addresses $name)) }}
{{- end }}
- ports:
    {{- include "storekeep.tcpPorts" (uniq $ports) | nindent 4 }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- else }}
{{- range $name := $.component.calls }}
- ports:
    - port: {{ include "storekeep.grpcPort" (dict "root" $.root "name" $name) }}
      protocol: TCP
  to:
    {{- include "storekeep.remotePeers" (dict "root" $.root "place" $cell "names" (list $name)) | nindent 4 }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "storekeep.cellErrors" -}}
{{- $root := . -}}
{{- $errors := list -}}
{{- $own := toString .Values.cell -}}
{{- $hasServices := include "storekeep.runs" (dict "root" . "name" "services") | eq "true" -}}
{{- $hasGateway := include "storekeep.runs" (dict "root" . "name" "gateway") | eq "true" -}}
{{- $hasPages := include "storekeep.runs" (dict "root" . "name" "pages") | eq "true" -}}
{{- $isFrontend := or $hasGateway $hasPages -}}
{{- $calls := (.Files.Get "files/services.yaml" | fromYaml).services | keys | sortAlpha -}}
{{- $places := dict -}}
{{- $numbers := dict -}}
{{- if $hasServices -}}
{{- $_ := set $numbers $own "this release" -}}
{{- $_ := set $places (printf "%s/%s" .Release.Namespace .Release.Name) "this release" -}}
{{- end -}}
{{- range $index, $cell := .Values.cells -}}
{{- $path := printf "cells[%d]" $index -}}
{{- $number := toString $cell.cell -}}
{{- if hasKey $numbers $number -}}
{{- $errors = append $errors (printf "%s.cell is %s, as in %s; each cell has one release, so remove one of them." $path $number (get $numbers $number)) -}}
{{- end -}}
{{- $_ := set $numbers $number $path -}}
{{- if and $cell.release $cell.addresses -}}
{{- $errors = append $errors (printf "%s has both release and addresses; remove one of them." $path) -}}
{{- else if $cell.release -}}
{{- $place := include "storekeep.place" (dict "root" $root "place" $cell) | fromJson -}}
{{- $key := printf "%s/%s" $place.namespace $place.release -}}
{{- if hasKey $places $key -}}
{{- $errors = append $errors (printf "%s is the release %s in namespace %s, as %s; each cell has its own release." $path $place.release $place.namespace (get $places $key)) -}}
{{- end -}}
{{- $_ := set $places $key $path -}}
{{- else if $cell.addresses -}}
{{- $missing := list -}}
{{- range $calls -}}
{{- if not (get $cell.addresses .) -}}
{{- $missing = append $missing . -}}
{{- end -}}
{{- end -}}
{{- if $missing -}}
{{- $errors = append $errors (printf "%s.addresses has no address of %s." $path (join ", " $missing)) -}}
{{- end -}}
{{- else -}}
{{- $errors = append $errors (printf "%s does not say where the services of cell %s are; set release, and namespace if it is another one, or addresses." $path $number) -}}
{{- end -}}
{{- $peers := dict "path" (print $path ".to") "peers" ($cell.to | default list) -}}
{{- $errors = concat $errors (include "storekeep.peerErrors" $peers | fromJsonArray) -}}
{{- end -}}
{{- if not (or $hasServices $isFrontend) -}}
{{- $errors = append $errors "cell is none, and gateway.enabled and pages.enabled are false, so this release has no pods; enable one of them, or set cell to a number." -}}
{{- else if and $isFrontend (not (hasKey $numbers "0")) -}}
{{- $what := $hasGateway | ternary "gateway" "pages" -}}
{{- $remedy := not $hasServices | ternary "add it" (printf "add it, or set %s.enabled to false if another release's %[1]s serves this cell" $what) -}}
{{- $errors = append $errors (printf "cells does not contain cell 0, which the %s of this release must serve, too; %s." $what $remedy) -}}
{{- else if and .Values.cells (not $isFrontend) -}}
{{- $errors = append $errors "cells is set, but only the gateway and the pages read it, and this release has neither; remove it, or set gateway.enabled to true." -}}
{{- end -}}
{{- if and $hasServices (not $hasGateway) (not .Values.gatewayRelease.release) -}}
{{- $errors = append $errors "gatewayRelease.release is empty, but this release has no gateway; set it to the release whose gateway calls these services." -}}
{{- else if and $hasGateway .Values.gatewayRelease.release -}}
{{- $errors = append $errors (printf "gatewayRelease.release is %s, but this release has its own gateway; remove gatewayRelease, or set gateway.enabled to false." .Values.gatewayRelease.release) -}}
{{- end -}}
{{- range $path, $values := dict "gateway" (dict "ingress" .Values.ingress "httpRoute" .Values.httpRoute) "pages" (dict "pages.ingress" .Values.pages.ingress "pages.httpRoute" .Values.pages.httpRoute) -}}
{{- range $kind, $route := $values -}}
{{- if and $route.enabled (not (include "storekeep.runs" (dict "root" $root "name" $path))) -}}
{{- $errors = append $errors (printf "%s.enabled is true, but this release has no %s; set it to false, or %s.enabled to true." $kind $path $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if or .Values.cells .Values.gatewayRelease.release -}}
{{- if .Values.bundled.redis.enabled -}}
{{- $errors = append $errors "bundled.redis.enabled is true, but all cells share one Redis and the bundled one serves this release only; set it to false, and secrets.REDIS_URL." -}}
{{- end -}}
{{- if and .Values.generateSecrets (not .Values.tls.enabled) (not .Values.secrets.CALL_SECRET.value) (not .Values.secrets.CALL_SECRET.existingSecret) -}}
{{- $errors = append $errors "secrets.CALL_SECRET would be generated for this release, but services accept calls of a gateway in another release only with the same one; set secrets.CALL_SECRET." -}}
{{- end -}}
{{- end -}}
{{- if not $hasServices -}}
{{- range $server := list "postgres" "nats" -}}
{{- if (get $root.Values.bundled $server).enabled -}}
{{- $errors = append $errors (printf "bundled.%s.enabled is true, but cell is none, so no process uses it; set it to false." $server) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}
