// Compiles HLSL to DXIL as wgpu does, with DXC as a library: nobody publishes the program for Linux
// through a package registry.
//
// Each line of standard input is an entry point, a space, and the path of an HLSL file. Each line of
// standard output answers one: nothing if DXC compiled it, else what it said. With `--disassemble` it
// answers with the DXIL as text instead, which is empty if DXC did not compile it. With `--version` it only
// prints the version.

#include "dxcapi.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

static void check(HRESULT result, const char *what) {
    if (FAILED(result)) {
        std::fprintf(stderr, "%s failed: %08x\n", what, static_cast<unsigned>(result));
        std::exit(1);
    }
}

static void print_version() {
    CComPtr<IDxcVersionInfo> version;
    check(DxcCreateInstance(CLSID_DxcCompiler, IID_PPV_ARGS(&version)), "IDxcVersionInfo");
    UINT32 major = 0, minor = 0;
    check(version->GetVersion(&major, &minor), "GetVersion");
    std::printf("%u.%u\n", major, minor);
}

static CComPtr<IDxcResult> compile(IDxcCompiler3 *compiler, const std::string &entry_point,
                                   const std::string &text) {
    const DxcBuffer source{text.data(), text.size(), CP_UTF8};
    const std::wstring wide_entry_point(entry_point.begin(), entry_point.end());
    std::vector<LPCWSTR> arguments{L"-E", wide_entry_point.c_str(), L"-T", L"cs_6_0", L"-HV", L"2018",
                                   L"-no-warnings", L"-Ges"};
    CComPtr<IDxcResult> result;
    check(compiler->Compile(&source, arguments.data(), static_cast<UINT32>(arguments.size()), nullptr,
                            IID_PPV_ARGS(&result)),
          "Compile");
    return result;
}

static bool succeeded(IDxcResult *result) {
    HRESULT status = E_FAIL;
    check(result->GetStatus(&status), "GetStatus");
    return SUCCEEDED(status);
}

// Null if no DXIL came out.
static CComPtr<IDxcBlob> dxil(IDxcResult *result) {
    CComPtr<IDxcBlob> object;
    check(result->GetOutput(DXC_OUT_OBJECT, IID_PPV_ARGS(&object), nullptr), "GetOutput");
    const bool is_dxil = object && object->GetBufferSize() > 4 &&
                         std::string(static_cast<const char *>(object->GetBufferPointer()), 4) == "DXBC";
    return is_dxil ? object : CComPtr<IDxcBlob>();
}

// Empty if DXC compiled it, else what it said, in one line.
static std::string problem(IDxcCompiler3 *compiler, const std::string &entry_point, const std::string &text) {
    const CComPtr<IDxcResult> result = compile(compiler, entry_point, text);
    if (succeeded(result)) {
        return dxil(result) ? "" : "no DXIL came out";
    }
    CComPtr<IDxcBlobUtf8> errors;
    check(result->GetOutput(DXC_OUT_ERRORS, IID_PPV_ARGS(&errors), nullptr), "GetOutput");
    std::string message(errors ? errors->GetStringPointer() : "it said nothing");
    for (char &letter : message) {
        letter = letter == '\n' || letter == '\r' ? ' ' : letter;
    }
    return message.empty() ? "it said nothing" : message;
}

// Empty if DXC did not compile it.
static std::string disassembly(IDxcCompiler3 *compiler, const std::string &entry_point, const std::string &text) {
    const CComPtr<IDxcResult> result = compile(compiler, entry_point, text);
    const CComPtr<IDxcBlob> object = succeeded(result) ? dxil(result) : CComPtr<IDxcBlob>();
    if (!object) {
        return "";
    }
    const DxcBuffer buffer{object->GetBufferPointer(), object->GetBufferSize(), 0};
    CComPtr<IDxcResult> disassembled;
    check(compiler->Disassemble(&buffer, IID_PPV_ARGS(&disassembled)), "Disassemble");
    CComPtr<IDxcBlobUtf8> lines;
    check(disassembled->GetOutput(DXC_OUT_DISASSEMBLY, IID_PPV_ARGS(&lines), nullptr), "GetOutput");
    return lines ? lines->GetStringPointer() : "";
}

int main(int argument_count, char **arguments) {
    const std::string option = argument_count > 1 ? arguments[1] : "";
    if (option == "--version") {
        print_version();
        return 0;
    }
    CComPtr<IDxcCompiler3> compiler;
    check(DxcCreateInstance(CLSID_DxcCompiler, IID_PPV_ARGS(&compiler)), "IDxcCompiler3");
    std::string entry_point, path;
    while (std::cin >> entry_point && std::getline(std::cin >> std::ws, path)) {
        std::ifstream file(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        if (!file) {
            std::fprintf(stderr, "%s cannot be read\n", path.c_str());
            return 1;
        }
        if (option == "--disassemble") {
            std::cout << disassembly(compiler, entry_point, text);
        } else {
            std::cout << problem(compiler, entry_point, text) << std::endl;
        }
    }
    return 0;
}
