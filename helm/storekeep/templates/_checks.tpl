{{/* Checks of single values that are not specific to Storekeep. Each returns its errors as a JSON array. */}}

{{/* A Kubernetes quantity, such as 500m or 1Gi, as a number. */}}
{{- define "storekeep.quantity" -}}
{{- $number := regexFind "^[0-9.]+" (toString .) -}}
{{- $factors := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- mulf (float64 $number) (get $factors (trimPrefix $number (toString .)) | default 1) -}}
{{- end -}}

{{/* Takes path and resources. */}}
{{- define "storekeep.resourceErrors" -}}
{{- $errors := list -}}
{{- $limits := .resources.limits | default dict -}}
{{- range $kind := list "requests" "limits" -}}
{{- range $resource, $quantity := get $.resources $kind | default dict -}}
{{- if and (has $resource (list "memory" "ephemeral-storage")) (regexMatch "^[0-9.]+m?$" (toString $quantity)) (ne (toString $quantity) "0") -}}
{{- $errors = append $errors (printf "%s.%s.%s is %v, which has no unit of size; add one, such as %sMi." $.path $kind $resource $quantity (trimSuffix "m" (toString $quantity))) -}}
{{- end -}}
{{- if and (eq $resource "cpu") (not (regexMatch "^[0-9.]+m?$" (toString $quantity))) -}}
{{- $errors = append $errors (printf "%s.%s.cpu is %v, which is not a number of CPUs; use one such as 500m." $.path $kind $quantity) -}}
{{- end -}}
{{- $limit := get $limits $resource -}}
{{- $hasUnit := or (eq $resource "cpu") (not (regexMatch "^[0-9.]+m?$" (toString $limit))) -}}
{{- if and (eq $kind "requests") (hasKey $limits $resource) $hasUnit -}}
{{- if gt (include "storekeep.quantity" $quantity | float64) (include "storekeep.quantity" $limit | float64) -}}
{{- $errors = append $errors (printf "%s.requests.%s is %v, which is more than the limit of %v; lower it, or raise limits.%s." $.path $resource $quantity $limit $resource) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Takes path and labels. */}}
{{- define "storekeep.labelErrors" -}}
{{- $errors := list -}}
{{- range $key, $value := .labels -}}
{{- if not (regexMatch "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$" $key) -}}
{{- $errors = append $errors (printf "%s has the key %q, which is not the name of a label; use up to 63 letters, digits, '-', '_' and '.', optionally after a domain and '/'." $.path $key) -}}
{{- end -}}
{{- if not (regexMatch "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$" (toString $value)) -}}
{{- $errors = append $errors (printf "%s.%s is %q, which is not the value of a label; use up to 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends." $.path $key (toString $value)) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Takes path and tolerations. */}}
{{- define "storekeep.tolerationErrors" -}}
{{- $errors := list -}}
{{- range $index, $toleration := .tolerations -}}
{{- $path := printf "%s[%d]" $.path $index -}}
{{- if and (eq (.operator | default "Equal") "Exists") .value -}}
{{- $errors = append $errors (printf "%s has the operator Exists and the value %q; remove one of them, because Exists matches every value." $path .value) -}}
{{- end -}}
{{- if and (eq (.operator | default "Equal") "Equal") (not .key) -}}
{{- $errors = append $errors (printf "%s has no key; set it, or the operator to Exists to tolerate all taints." $path) -}}
{{- end -}}
{{- if and (hasKey . "tolerationSeconds") (ne (.effect | default "") "NoExecute") -}}
{{- $errors = append $errors (printf "%s.tolerationSeconds requires the effect NoExecute; set it, or remove tolerationSeconds." $path) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* What is wrong with a network in CIDR notation, after its name: "has no prefix length; …", or empty. */}}
{{- define "storekeep.cidrProblem" -}}
{{- $address := splitList "/" . | first -}}
{{- $length := trimPrefix $address . -}}
{{- $bits := contains ":" . | ternary 128 32 -}}
{{- if not (include "storekeep.isAddress" $address) -}}
does not start with an IP address
{{- else if not $length -}}
has no prefix length; use {{ $address }}/{{ $bits }} for this address alone
{{- else if not (regexMatch "^/(0|[1-9][0-9]{0,2})$" $length) -}}
has a prefix length that is not a number
{{- else if gt (trimPrefix "/" $length | int) $bits -}}
has a prefix length above {{ $bits }}
{{- end -}}
{{- end -}}

{{/* "true" for an IPv4 or IPv6 address. */}}
{{- define "storekeep.isAddress" -}}
{{- $octet := "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])" -}}
{{- if regexMatch (printf `^(%s\.){3}%s$` $octet $octet) . -}}
true
{{- else if and (regexMatch "^([0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}$" .) (not (contains ":::" .)) (le (len (splitList "::" .)) 2) (or (contains "::" .) (eq (len (splitList ":" .)) 8)) -}}
true
{{- end -}}
{{- end -}}

{{/* Errors of peers of a NetworkPolicy rule. Takes path and peers. */}}
{{- define "storekeep.peerErrors" -}}
{{- $errors := list -}}
{{- range $index, $peer := .peers -}}
{{- $path := printf "%s[%d]" $.path $index -}}
{{- range $field, $network := dict "cidr" (list (dig "ipBlock" "cidr" "" $peer)) "except" (dig "ipBlock" "except" list $peer) -}}
{{- range compact $network -}}
{{- $problem := include "storekeep.cidrProblem" . -}}
{{- if $problem -}}
{{- $errors = append $errors (printf "%s.ipBlock.%s is %s, which %s." $path $field . $problem) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $selector := list "podSelector" "namespaceSelector" -}}
{{- $labels := dict "path" (printf "%s.%s.matchLabels" $path $selector) "labels" (dig $selector "matchLabels" dict $peer) -}}
{{- $errors = concat $errors (include "storekeep.labelErrors" $labels | fromJsonArray) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/*
Volume mounts of a container, its volumes and its variables. The chart mounts /tmp and, if configured, the folders below /etc/storekeep. Takes
path, mounts, volumes, environment and isTls.
*/}}
{{- define "storekeep.mountErrors" -}}
{{- $errors := list -}}
{{- $names := list -}}
{{- range .volumes -}}
{{- if has .name $names -}}
{{- $errors = append $errors (printf "%s.extraVolumes contains %s twice; rename or remove one of them." $.path .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- $known := concat $names (list "tmp") (.isTls | ternary (list "tls") list) -}}
{{- $taken := list -}}
{{- range $index, $mount := .mounts -}}
{{- $path := printf "%s.extraVolumeMounts[%d]" $.path $index -}}
{{- $folder := trimSuffix "/" .mountPath | default "/" -}}
{{- if not (has .name $known) -}}
{{- $errors = append $errors (printf "%s mounts the volume %s, which does not exist; add it to extraVolumes." $path .name) -}}
{{- end -}}
{{- if not (regexMatch "^/[^:]*$" $folder) -}}
{{- $errors = append $errors (printf "%s.mountPath is %s, which is not an absolute path without ':'." $path .mountPath) -}}
{{- else if or (has $folder (list "/" "/tmp" "/etc/storekeep/tls" (include "storekeep.natsFolder" .))) (regexMatch "^/app(/|$)" $folder) -}}
{{- $errors = append $errors (printf "%s.mountPath is %s, which would hide files that the process needs; choose a folder outside /app, such as /etc/%s." $path .mountPath .name) -}}
{{- else if has $folder $taken -}}
{{- $errors = append $errors (printf "%s.mountPath is %s, where another volume is mounted; choose another folder." $path .mountPath) -}}
{{- end -}}
{{- $taken = append $taken $folder -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}
