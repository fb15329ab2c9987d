{{/*
The addresses of the checkout, portal and store pages, as a JSON object by the name of the setting. The services that create links, the
process that serves the pages, and its Ingress or HTTPRoute use the same ones. An unknown address is omitted.
*/}}
{{- define "storekeep.pageUrls" -}}
{{- $root := . -}}
{{- $base := .Values.pages.publicBaseUrl | default .Values.publicBaseUrl | trimSuffix "/" -}}
{{- $urls := dict -}}
{{- range $name, $known := (.Files.Get "files/services.yaml" | fromYaml).services -}}
{{- $own := (get $root.Values.services $name | default dict).settings | default dict -}}
{{- range $setting, $path := $known.publicPaths | default dict -}}
{{- with get $own $setting | default (empty $base | ternary "" (print $base $path)) -}}
{{- $_ := set $urls $setting (trimSuffix "/" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $urls -}}
{{- end -}}

{{/* The hosts of these addresses without ports, each with its paths, as a JSON object. The pages respond to no other host. */}}
{{- define "storekeep.pageHosts" -}}
{{- $hosts := dict -}}
{{- range include "storekeep.pageUrls" . | fromJson -}}
{{- $url := urlParse . -}}
{{- $host := regexReplaceAll ":[0-9]+$" $url.host "" | lower -}}
{{- $_ := set $hosts $host (append (get $hosts $host | default list) ($url.path | default "/")) -}}
{{- end -}}
{{- toJson $hosts -}}
{{- end -}}

{{- define "storekeep.pagesErrors" -}}
{{- $errors := list -}}
{{- $pages := .Values.pages -}}
{{- $urls := include "storekeep.pageUrls" . | fromJson -}}
{{- $seen := dict -}}
{{- range $setting, $url := $urls -}}
{{- if hasKey $seen $url -}}
{{- $errors = append $errors (printf "%s and %s are both %s; give each its own path or host." (get $seen $url) $setting $url) -}}
{{- end -}}
{{- $_ := set $seen $url $setting -}}
{{- end -}}
{{- if or $pages.ingress.enabled $pages.httpRoute.enabled -}}
{{- $isGatewayPublic := or .Values.ingress.enabled .Values.httpRoute.enabled -}}
{{- if not (or $pages.settings.TRUSTED_PROXIES .Values.gateway.settings.TRUSTED_PROXIES $isGatewayPublic) -}}
{{- $errors = append $errors "pages.settings.TRUSTED_PROXIES is empty but an Ingress or HTTPRoute of the pages is enabled, so all shoppers would share one rate limit; set it to the network of the proxy's pods, such as 10.0.0.0/8." -}}
{{- end -}}
{{- $plain := list -}}
{{- range $setting, $url := $urls -}}
{{- $host := regexReplaceAll ":[0-9]+$" (urlParse $url).host "" -}}
{{- if and (hasPrefix "http://" $url) (not (has $host (list "localhost" "127.0.0.1"))) -}}
{{- $plain = append $plain $url -}}
{{- end -}}
{{- if regexMatch "^[0-9.]+$|^\\[" $host -}}
{{- $errors = append $errors (printf "%s is %s, but an Ingress or HTTPRoute matches host names, not IP addresses; set pages.publicBaseUrl to a URL with a host name." $setting $url) -}}
{{- end -}}
{{- end -}}
{{- if $plain -}}
{{- $errors = append $errors (printf "The pages are at %s, but browsers keep the cookies of the portal and the store only over HTTPS; set pages.publicBaseUrl to a URL that starts with https://." (sortAlpha $plain | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- if and $pages.httpRoute.enabled (not $pages.httpRoute.parentRefs) -}}
{{- $errors = append $errors "pages.httpRoute.enabled is true, but pages.httpRoute.parentRefs is empty." -}}
{{- end -}}
{{- range $entry := $pages.ingress.tls -}}
{{- range $host := $entry.hosts | default list -}}
{{- if not (hasKey (include "storekeep.pageHosts" $ | fromJson) $host) -}}
{{- $errors = append $errors (printf "pages.ingress.tls names the host %s, which has no pages; they are at %s." $host (values $urls | sortAlpha | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}
