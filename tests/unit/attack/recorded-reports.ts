/** Each tool's report on a small server with deliberate holes, and its report on one without. */

export const SQLMAP_FOUND = `POST parameter 'name' is vulnerable. Do you want to keep testing the others (if any)? [y/N] N
sqlmap identified the following injection point(s) with a total of 153 HTTP(s) requests:
---
Parameter: name (POST)
    Type: boolean-based blind
    Title: AND boolean-based blind - WHERE or HAVING clause
    Payload: name=anna' AND 5712=5712-- BGtz

    Type: error-based
    Title: PostgreSQL AND error-based - WHERE or HAVING clause
    Payload: name=anna' AND 8494=CAST(… AS NUMERIC)-- YxJv

    Type: time-based blind
    Title: PostgreSQL > 8.1 AND time-based blind
    Payload: name=anna' AND 2197=(SELECT 2197 FROM PG_SLEEP(5))-- vfnD
---
`;

export const SQLMAP_HELD = `[12:38:11] [INFO] testing 'PostgreSQL > 8.1 AND time-based blind'
[12:38:15] [WARNING] POST parameter 'pid' does not seem to be injectable
[12:38:29] [WARNING] POST parameter 'policyNo' does not seem to be injectable
[12:38:29] [CRITICAL] all tested parameters do not appear to be injectable.
`;

export const WAPITI_FOUND = JSON.stringify({
  vulnerabilities: {
    "Cross Site Scripting": [
      {
        method: "POST",
        path: "/",
        info: "XSS vulnerability found via injection in the parameter name",
        level: 2,
        parameter: "name",
        http_request: "",
        curl_command: "",
      },
    ],
    "SQL Injection": [],
    "HTTP Secure Headers": [
      {
        method: "GET",
        path: "/",
        info: "X-XSS-Protection is not set",
        level: 1,
        parameter: "",
        http_request: "",
        curl_command: "",
      },
    ],
    "Secure Flag cookie": [
      {
        method: "GET",
        path: "/",
        info: "Secure flag is not set in the cookie : sid",
        level: 1,
        parameter: "",
        http_request: "",
        curl_command: "",
      },
    ],
  },
  anomalies: {
    "Internal Server Error": [
      {
        method: "POST",
        path: "/home",
        info: "The server responded with a 500 HTTP error code",
        level: 2,
        parameter: null,
        http_request: "",
        curl_command: "",
      },
    ],
  },
  infos: { version: "Wapiti 3.0.4" },
});

export const WAPITI_HELD = JSON.stringify({
  vulnerabilities: {
    "Cross Site Scripting": [],
    "SQL Injection": [],
    "HTTP Secure Headers": [
      {
        method: "GET",
        path: "/",
        info: "X-XSS-Protection is not set",
        level: 1,
        parameter: "",
        http_request: "",
        curl_command: "",
      },
    ],
  },
  anomalies: { "Internal Server Error": [] },
  infos: { version: "Wapiti 3.0.4" },
});

export const NMAP_FOUND = `<port protocol="tcp" portid="28999"><state state="open"/>
<script id="http-methods" output="&#xa;  Supported Methods: GET POST PUT DELETE TRACE OPTIONS HEAD&#xa;  Potentially risky methods: PUT DELETE TRACE"/>
<script id="http-errors" output="Couldn&apos;t find any error pages."/>
<script id="http-stored-xss" output="Couldn&apos;t find any stored XSS vulnerabilities."/>
<script id="http-enum" output="&#xa;  //system.html: CMNC-200 IP Camera&#xa;  /robots.txt: Robots file&#xa;"/>
<script id="http-trace" output="TRACE is enabled"/>
<script id="ssl-enum-ciphers" output="&#xa;  TLSv1.2: &#xa;    ciphers: &#xa;      TLS_RSA_WITH_3DES_EDE_CBC_SHA (rsa 2048) - C&#xa;  least strength: C"/>
<script id="ssl-poodle" output="&#xa;  VULNERABLE:&#xa;  SSL POODLE information leak&#xa;    State: VULNERABLE"/>
</port>`;

export const NMAP_HELD = `<port protocol="tcp" portid="20000"><state state="open"/>
<script id="http-methods" output="&#xa;  Supported Methods: GET HEAD POST OPTIONS"/>
<script id="http-stored-xss" output="Couldn&apos;t find any stored XSS vulnerabilities."/>
<script id="http-enum" output="&#xa;  /robots.txt: Robots file&#xa;  /../../etc/passwd: Possible path traversal in URI (400 Bad Request)&#xa;  /service/: Potentially interesting folder&#xa;"/>
<script id="ssl-enum-ciphers" output="&#xa;  TLSv1.3: &#xa;    ciphers: &#xa;      TLS_AKE_WITH_AES_256_GCM_SHA384 (secp256r1) - A&#xa;  least strength: A"/>
<script id="ssl-heartbleed" output="&#xa;  NOT VULNERABLE"/>
<script id="ssl-cert" output="Subject: commonName=127.0.0.1"/>
</port>`;

export const FFUF_FOUND = JSON.stringify({
  results: [
    {
      input: { FUZZ: ".env" },
      position: 1,
      status: 200,
      length: 8,
      redirectlocation: "",
      url: "http://127.0.0.1:28999/.env",
    },
    {
      input: { FUZZ: "admin" },
      position: 3,
      status: 404,
      length: 2,
      redirectlocation: "",
      url: "http://127.0.0.1:28999/admin",
    },
    {
      input: { FUZZ: "robots.txt" },
      position: 2,
      status: 200,
      length: 2,
      redirectlocation: "",
      url: "http://127.0.0.1:28999/robots.txt",
    },
  ],
});
